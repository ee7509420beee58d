import { type Columns, keptCells, nameColumn } from '../../files/columns/find-columns.ts'
import { decodeText } from '../../files/csv/encoding.ts'
import { splitRecord } from '../../files/csv/split-record.ts'
import { joinedRows } from '../../files/join-sheets.ts'
import { type CellType, cellType } from '../../files/xlsx/cell-type.ts'
import { type OtherSheets, openOtherSheets } from '../../files/xlsx/others/other-sheets.ts'
import { readWorkbook, type SheetExtras, type Workbook, type WorkbookRow } from '../../files/xlsx/read-workbook.ts'
import { cellXml, textCellXml } from '../../files/xlsx/write/cell-xml.ts'
import { otherStyleNumber } from '../../files/xlsx/write/styles-xml.ts'
import { type WorkbookLabels, workbookLabels } from '../../messages/labels.ts'
import type { Batch } from '../../store/batches/batches.ts'
import type { Database } from '../../store/connect.ts'
import { type Layout, layoutOf } from '../layout.ts'
import type { RowPlace } from '../result-row.ts'
import { sliceText } from '../sliced-text.ts'
import { readStoredFile } from '../stored-file.ts'

/** The caller's own cells of each row, as XML, asked for in the order of the file. */
export type OwnCells = {
  /** Returns a string if the row is already read, so that a million rows are not awaited one by one. */
  at(place: RowPlace): string | Promise<string>
  /** The name in the row that was asked for last. */
  name(): string
  /** Reads what stands after the last row that was asked for. */
  end(): Promise<void>
  close(): Promise<void>
}

/** `cut`: no cell stands beyond the header. `merged` gets the ranges of merged cells once all rows were asked for. */
type OwnCellsWish = { cut: boolean; styled: boolean; merged?: string[] }

/** The caller's workbook, open for reading; null where a text file came in. */
export const openOriginal = async (sql: Database, { workbookId }: Batch): Promise<Workbook | null> =>
  workbookId ? readWorkbook(readStoredFile(sql, workbookId)) : null

/** The cells of the caller's file: of a workbook with their types and styles; otherwise as text. */
export const openOwnCells = (sql: Database, batch: Batch, workbook: Workbook | null, wish: OwnCellsWish): OwnCells => {
  const layout = layoutOf(batch)
  return workbook
    ? joinedCells(typedRows(sheetRows(workbook, layout, wish), layout.columns, wish))
    : csvCells(readStoredFile(sql, batch.fileId!), layout, wish.cut)
}

const sheetRows = (workbook: Workbook, { sheet, joined }: Layout, { merged = [] }: OwnCellsWish) => {
  const extras: SheetExtras = { styles: true, merged }
  return joined ? joinedRows(workbook, joined, extras) : workbook.rows(sheet!, extras)
}

/** For a text file: every cell is its text. `cut`: none stands beyond the header, under which results follow. */
const csvCells = (bytes: AsyncIterable<Uint8Array>, layout: Layout, cut: boolean): OwnCells => {
  const text = sliceText(decodeText(bytes, layout.dialect))
  let name = ''
  const write = (raw: Buffer) => {
    const cells = recordCells(raw, layout, cut)
    name = nameIn(cells, layout)
    return cellsXml(cells, layout.columns.width)
  }
  return {
    at({ start, size }) {
      const raw = text.slice(start, start + size)
      return raw ? write(raw) : text.reach(start, start + size).then(write)
    },
    name: () => name,
    end: async () => {},
    close: () => text.close(),
  }
}

const nameIn = (cells: readonly string[], { columns }: { columns: Parameters<typeof nameColumn>[0] }): string =>
  cells[nameColumn(columns) ?? -1] ?? ''

/** Without the columns that Vigia added to an earlier file. */
const recordCells = (raw: Buffer, { dialect, columns }: Layout, cut: boolean): string[] => {
  const cells = splitRecord(raw, dialect)
  return cells.slice(0, cut ? columns.width : keptCells(cells.length, columns))
}

/** A short row is padded, so that the next cells stand under their header. */
const cellsXml = (cells: readonly string[], width: number): string => {
  let xml = ''
  for (const cell of cells) xml += textCellXml(cell)
  for (let missing = width - cells.length; missing > 0; missing--) xml += '<c/>'
  return xml
}

/** The cells of an input workbook's row, ready to be written again; `line` is its number in the sheet. */
type TypedRow = { line: number; cellsXml: string; name?: string }

/** For a workbook: joins the rows of the report with those of the sheet by their number, both in the same order. */
export const joinedCells = (rows: AsyncIterable<readonly TypedRow[]>): OwnCells => {
  const source = rows[Symbol.asyncIterator]()
  let group: readonly TypedRow[] = []
  let next = 0
  let name = ''
  const find = (line: number): string | undefined => {
    while (next < group.length && group[next]!.line < line) next++
    const row = group[next]
    if (row?.line !== line) return undefined
    name = row.name ?? ''
    return row.cellsXml
  }
  const readOn = async (line: number): Promise<string> => {
    while (next >= group.length) {
      const { done, value } = await source.next()
      if (done) throw new Error('The workbook has fewer rows than the batch: it was changed after the import')
      group = value
      next = 0
      find(line)
    }
    const found = find(line)
    if (found === undefined) throw new Error(`The workbook has no row ${line}: it was changed after the import`)
    return found
  }
  return {
    at: ({ line }) => find(line) ?? readOn(line),
    name: () => name,
    async end() {
      while (!(await source.next()).done);
    },
    close: async () => void (await source.return?.()),
  }
}

/**
 * The rows of a sheet with their types, at least as wide as its header, and with `cut` no wider, without the columns that
 * Vigia added to an earlier file. No cell becomes a formula again, whatever it holds. With `styled` a cell looks as it did.
 */
export async function* typedRows(
  rows: AsyncIterable<WorkbookRow[]>,
  columns: Pick<Columns, 'width' | 'ownColumns'> & Partial<Pick<Columns, 'name' | 'several'>>,
  { cut = false, styled = false }: { cut?: boolean; styled?: boolean } = {},
): AsyncGenerator<TypedRow[]> {
  for await (const group of rows) {
    yield group.map(({ number, cells, types, styles }) => {
      const end = cut ? columns.width : keptCells(cells.length, columns)
      let cellsXml = ''
      for (let at = 0; at < end; at++)
        cellsXml += cells[at] ? typedXml(cells[at]!, types[at] as CellType, styled ? styles?.[at] : undefined) : '<c/>'
      return { line: number, cellsXml, name: nameIn(cells, { columns }) }
    })
  }
}

/**
 * A number that its format shows with leading zeros is a number again under that format. A text without a style, or that
 * would become a formula when a person opens and leaves its cell, keeps our format, which prevents that.
 */
const typedXml = (text: string, type: CellType, style: number | undefined): string => {
  const staysText = type === cellType.text && (style === 0 || startsFormula.test(text))
  if (style === undefined || staysText) return cellXml({ text, type })
  const isPadded = type === cellType.padded
  return cellXml({
    text: isPadded ? String(Number(text)) : text,
    type: isPadded ? cellType.number : type,
    style: otherStyleNumber(style),
  })
}

const startsFormula = /^[\s\p{Cc}]*[-=+@＝＋－＠]/u

/** The sheets of the caller's workbook that were not read, to be written after ours. */
export const openUnreadSheets = (
  workbook: Workbook,
  { sheet, joined }: Layout,
  { formatMessage }: Pick<WorkbookLabels, 'formatMessage'>,
): Promise<OtherSheets> => {
  const read = joined?.sheets.map(({ name }) => name) ?? [sheet!]
  const leavesOut = (name: string) => read.includes(name) || isOfReport(name, read)
  return openOtherSheets(workbook, { leavesOut, formatMessage })
}

/** Where a report was submitted again, its further sheets are made anew. */
const isOfReport = (name: string, read: readonly string[]): boolean =>
  (['en', 'pt-BR'] as const).some((language) => {
    const { results, summary, rejects, about } = workbookLabels(language).sheets
    return read.includes(results) && [summary, rejects, about].includes(name)
  })
