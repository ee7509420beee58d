import { type Columns, keptCells } from '../../files/columns/find-columns.ts'
import { type CellType, cellType } from '../../files/xlsx/cell-type.ts'
import type { WorkbookRow } from '../../files/xlsx/read-workbook.ts'
import { cellXml } from '../../files/xlsx/write/cell-xml.ts'
import type { OwnFormats } from '../../files/xlsx/write/own-formats.ts'
import { nameIn, type OwnCells } from './own-cells.ts'

/** The cells of an input workbook's row, ready to be written again; `line` is its number in the sheet. */
export type TypedRow = { line: number; cellsXml: string; name?: string }

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
 * Vigia added to an earlier file. No cell becomes a formula again, whatever it holds. A cell that is shown by a number format keeps it.
 */
export async function* typedRows(
  rows: AsyncIterable<WorkbookRow[]>,
  columns: Pick<Columns, 'width' | 'ownColumns'> & Partial<Pick<Columns, 'name'>>,
  { cut = false, formats }: { cut?: boolean; formats?: OwnFormats } = {},
): AsyncGenerator<TypedRow[]> {
  for await (const group of rows) {
    yield group.map(({ number, cells, types, formats: shown }) => {
      const end = cut ? columns.width : keptCells(cells.length, columns)
      const cellsXml = typedCellsXml({ cells, types, formats: shown }, end, formats)
      return { line: number, cellsXml, name: nameIn(cells, { columns }) }
    })
  }
}

/** The first cells of a row, with their types and formats. */
export const typedCellsXml = (
  { cells, types, formats: shown }: Pick<WorkbookRow, 'cells' | 'types' | 'formats'>,
  end: number,
  formats?: OwnFormats,
): string => {
  let xml = ''
  for (let at = 0; at < end; at++)
    xml += cells[at] ? typedXml(cells[at]!, types[at] as CellType, formats?.styleOf(shown?.[at])) : '<c/>'
  return xml
}

/** A number that its format shows with leading zeros was read as text, and is a number again under that format. */
const typedXml = (text: string, type: CellType, style: number | undefined): string =>
  style !== undefined && type === cellType.text
    ? cellXml({ text: String(Number(text)), type: cellType.number, style })
    : cellXml({ text, type, style })
