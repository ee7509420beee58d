import { FileProblem } from '../../files/file-problem.ts'
import { readWorkbook, type Workbook, type WorkbookRow } from '../../files/xlsx/read-workbook.ts'
import { rowXml, textCell } from '../../files/xlsx/write/cell-xml.ts'
import type { OwnFormats } from '../../files/xlsx/write/own-formats.ts'
import type { SheetToWrite } from '../../files/xlsx/write-workbook.ts'
import { type WorkbookLabels, workbookLabels } from '../../messages/labels.ts'
import type { Batch } from '../../store/batches/batches.ts'
import type { Database } from '../../store/connect.ts'
import { cameAsWorkbook } from '../report-format.ts'
import { readStoredFile } from '../stored-file.ts'
import { mergedDownTo } from './merged-ranges.ts'
import { typedCellsXml } from './typed-cells.ts'

type Wish = { formats: OwnFormats; formatMessage: WorkbookLabels['formatMessage'] }
type OtherSheets = AsyncDisposable & { sheets: SheetToWrite[] }

/**
 * The sheets of the caller's workbook that were not read, to be written after ours: values with their formats in their
 * places, and merged cells. A sheet that cannot be read to its end says so in its last row, and stops no report.
 */
export const openOtherSheets = async (sql: Database, batch: Batch, wish: Wish): Promise<OtherSheets> => {
  const original = cameAsWorkbook(batch)
  if (!original) return { sheets: [], [Symbol.asyncDispose]: async () => {} }
  const workbook = await readWorkbook(readStoredFile(sql, original.fileId))
  const read = original.joined?.sheets.map(({ name }) => name) ?? [original.sheet]
  const others = workbook.sheets.filter(({ name }) => !read.includes(name) && !isOfReport(name, read))
  return {
    sheets: others.map(({ name, hidden }) => ({ name, hidden, columns: [], ...rowsOf(workbook, name, wish) })),
    [Symbol.asyncDispose]: () => workbook[Symbol.asyncDispose](),
  }
}

/** Where a report was submitted again, its further sheets are made anew. */
const isOfReport = (name: string, read: readonly string[]): boolean =>
  (['en', 'pt-BR'] as const).some((language) => {
    const { results, summary, rejects, about } = workbookLabels(language).sheets
    return read.includes(results) && [summary, rejects, about].includes(name)
  })

const rowsOf = (
  workbook: Workbook,
  name: string,
  { formats, formatMessage }: Wish,
): Pick<SheetToWrite, 'rows' | 'merged'> => {
  const merged: string[] = []
  async function* lines(): AsyncGenerator<Uint8Array> {
    try {
      for await (const rows of workbook.rows(name, { formats: true, merged }))
        yield Buffer.from(rows.map((row) => placedRowXml(row, formats)).join(''))
    } catch (problem) {
      if (!(problem instanceof FileProblem)) throw problem
      yield Buffer.from(rowXml([textCell(formatMessage(problem.reason), 'text', 'attention')]))
    }
  }
  return { rows: { lines: lines() }, merged: () => mergedDownTo(merged, Number.POSITIVE_INFINITY) }
}

const placedRowXml = (row: WorkbookRow, formats: OwnFormats): string =>
  `<row r="${row.number}"${row.hidden ? ' hidden="1"' : ''}>${typedCellsXml(row, row.cells.length, formats)}</row>\n`
