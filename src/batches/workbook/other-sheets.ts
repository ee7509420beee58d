import { type OtherSheets, openOtherSheets } from '../../files/xlsx/others/other-sheets.ts'
import { readWorkbook } from '../../files/xlsx/read-workbook.ts'
import { type WorkbookLabels, workbookLabels } from '../../messages/labels.ts'
import type { Batch } from '../../store/batches/batches.ts'
import type { Database } from '../../store/connect.ts'
import { cameAsWorkbook } from '../layout.ts'
import { readStoredFile } from '../stored-file.ts'

/** The sheets of the caller's workbook that were not read, to be written after ours; null where a text file came in. */
export const openUnreadSheets = async (
  sql: Database,
  batch: Batch,
  { formatMessage }: Pick<WorkbookLabels, 'formatMessage'>,
): Promise<(OtherSheets & AsyncDisposable) | null> => {
  const original = cameAsWorkbook(batch)
  if (!original) return null
  const workbook = await readWorkbook(readStoredFile(sql, original.fileId))
  const read = original.joined?.sheets.map(({ name }) => name) ?? [original.sheet]
  const leavesOut = (name: string) => read.includes(name) || isOfReport(name, read)
  const others = await openOtherSheets(workbook, { leavesOut, formatMessage })
  return { ...others, [Symbol.asyncDispose]: () => workbook[Symbol.asyncDispose]() }
}

/** Where a report was submitted again, its further sheets are made anew. */
const isOfReport = (name: string, read: readonly string[]): boolean =>
  (['en', 'pt-BR'] as const).some((language) => {
    const { results, summary, rejects, about } = workbookLabels(language).sheets
    return read.includes(results) && [summary, rejects, about].includes(name)
  })
