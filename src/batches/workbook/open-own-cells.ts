import { openCsv } from '../../files/csv/read.ts'
import type { CsvRecord } from '../../files/csv/record-parser.ts'
import { joinedRows } from '../../files/join-sheets.ts'
import { readWorkbook, type SheetExtras } from '../../files/xlsx/read-workbook.ts'
import type { SheetColumn } from '../../files/xlsx/write/sheet-xml.ts'
import type { Batch } from '../../store/batches/batches.ts'
import type { Database } from '../../store/connect.ts'
import { cameAsWorkbook, type Layout, layoutOf, type Original, ownHeader } from '../layout.ts'
import { readStoredFile } from '../stored-file.ts'
import { csvCells, type OwnCells } from './own-cells.ts'
import { joinedCells, type TypedRow, typedRows } from './typed-cells.ts'

/** `cut`: no cell stands beyond the header. `merged` gets the ranges of merged cells once all rows were asked for. */
type OwnCellsWish = { cut: boolean; styled: boolean; merged?: string[] }

/** The cells of the caller's file: of a workbook with their types and styles, from the original; otherwise as text. */
export const openOwnCells = (sql: Database, batch: Batch, wish: OwnCellsWish): OwnCells => {
  const layout = layoutOf(batch)
  const original = cameAsWorkbook(batch)
  return original
    ? joinedCells(sheetRows(sql, original, layout, wish))
    : csvCells(readStoredFile(sql, batch.fileId!), layout, wish.cut)
}

async function* sheetRows(
  sql: Database,
  { fileId, sheet, joined }: Original,
  { columns }: Layout,
  { cut, styled, merged = [] }: OwnCellsWish,
): AsyncGenerator<TypedRow[]> {
  await using workbook = await readWorkbook(readStoredFile(sql, fileId))
  const extras: SheetExtras = { styles: true, merged }
  const rows = joined ? joinedRows(workbook, joined, extras) : workbook.rows(sheet, extras)
  yield* typedRows(rows, columns, { cut, styled })
}

/** `inPlace`: titles stand on the lines that they have in the file. */
export type OwnHead = { titles: string[][]; inPlace: boolean; columns: SheetColumn[] }

/** The caller's titles and columns, from the header and the first rows of the file. */
export const readOwnHead = async (sql: Database, batch: Batch): Promise<OwnHead> => {
  const layout = layoutOf(batch)
  const csv = await openCsv(readStoredFile(sql, batch.fileId!), layout.dialect, { batchSize: 100 })
  try {
    const header = namesOf(csv.header?.cells ?? ownHeader(layout), layout)
    const { value: first } = await csv.records[Symbol.asyncIterator]().next()
    return { ...titlesOf(csv), columns: ownColumns(header, (first as CsvRecord[] | undefined) ?? []) }
  } finally {
    await csv.close()
  }
}

/** A name, possibly empty, for each cell of the rows: notes on the right of a table have no header. */
const namesOf = (header: readonly string[], { columns }: Layout): string[] =>
  Array.from({ length: columns.width }, (_, at) => header[at] ?? '')

/** Titles keep their lines, so that the rows below keep theirs too, unless that would leave too many blank lines. */
const titlesOf = ({ above, header }: { above: CsvRecord[]; header: CsvRecord | null }): Omit<OwnHead, 'columns'> => {
  const last = Math.min((header?.line ?? 1) - 1, mostTitles)
  if (above.length === 0 || above.at(-1)!.line > last) {
    return { titles: above.map(({ cells }) => cells), inPlace: false }
  }
  const titles = Array.from({ length: last }, (): string[] => [])
  for (const { line, cells } of above) titles[line - 1] = cells
  return { titles, inPlace: true }
}

const mostTitles = 50

/** The caller's columns, as wide as the header and the first rows of the file need. */
const ownColumns = (header: readonly string[], first: readonly CsvRecord[]): SheetColumn[] =>
  header.map((name, at) => {
    const longest = Math.max(name.length, ...first.slice(0, 200).map(({ cells }) => longestLine(cells[at] ?? '')))
    return { header: name, width: Math.min(44, Math.max(9, longest + 3)), own: true }
  })

const longestLine = (text: string): number => Math.max(...text.split(/\r?\n/).map((line) => line.length))
