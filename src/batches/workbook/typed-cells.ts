import { type Columns, keptCells } from '../../files/columns/find-columns.ts'
import { type CellType, cellType } from '../../files/xlsx/cell-type.ts'
import type { WorkbookRow } from '../../files/xlsx/read-workbook.ts'
import { cellXml } from '../../files/xlsx/write/cell-xml.ts'
import { otherStyleNumber } from '../../files/xlsx/write/styles-xml.ts'
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
