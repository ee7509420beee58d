import { openCsv } from '../../files/csv/read.ts'
import type { CsvRecord } from '../../files/csv/record-parser.ts'
import { readWorkbook } from '../../files/xlsx/read-workbook.ts'
import type { SheetColumn } from '../../files/xlsx/write/sheet-xml.ts'
import type { Batch } from '../../store/batches/batches.ts'
import type { Database } from '../../store/connect.ts'
import { type Layout, layoutOf, ownHeader } from '../layout.ts'
import { cameAsWorkbook } from '../report-format.ts'
import { readStoredFile } from '../stored-file.ts'
import { csvCells, type OwnCells } from './own-cells.ts'
import { ownColumns } from './result-columns.ts'
import { joinedCells, type TypedRow, typedRows } from './typed-cells.ts'

/** Of a workbook with their types, from the original; of anything else as text. */
export const openOwnCells = (sql: Database, batch: Batch): OwnCells => {
  const layout = layoutOf(batch)
  const original = cameAsWorkbook(batch)
  return original ? joinedCells(sheetRows(sql, original, layout)) : csvCells(readStoredFile(sql, batch.fileId!), layout)
}

async function* sheetRows(
  sql: Database,
  { fileId, sheet }: { fileId: bigint; sheet: string },
  { columns }: Layout,
): AsyncGenerator<TypedRow[]> {
  await using workbook = await readWorkbook(readStoredFile(sql, fileId))
  yield* typedRows(workbook.rows(sheet), columns)
}

export type OwnHead = { titles: string[][]; columns: SheetColumn[] }

/** The caller's titles, and columns, by the header and the first rows of the file. */
export const readOwnHead = async (sql: Database, batch: Batch): Promise<OwnHead> => {
  const layout = layoutOf(batch)
  const csv = await openCsv(readStoredFile(sql, batch.fileId!), layout.dialect, { batchSize: 100 })
  try {
    const header = namesOf(csv.header?.cells ?? ownHeader(layout), layout)
    const { value: first } = await csv.records[Symbol.asyncIterator]().next()
    return { titles: titlesOf(csv), columns: ownColumns(header, (first as CsvRecord[] | undefined) ?? []) }
  } finally {
    await csv.close()
  }
}

/** A name for each cell that the rows bring, be it empty: notes on the right of a table have none in its header. */
const namesOf = (header: readonly string[], { columns }: Layout): string[] =>
  Array.from({ length: columns.width }, (_, at) => header[at] ?? '')

/** On the lines that they had, so that the rows below have theirs; but no more blank ones than a person would leave. */
const titlesOf = ({ above, header }: { above: CsvRecord[]; header: CsvRecord | null }): string[][] => {
  const last = Math.min((header?.line ?? 1) - 1, mostTitles)
  if (above.length === 0 || above.at(-1)!.line > last) return above.map(({ cells }) => cells)
  const titles = Array.from({ length: last }, (): string[] => [])
  for (const { line, cells } of above) titles[line - 1] = cells
  return titles
}

const mostTitles = 50
