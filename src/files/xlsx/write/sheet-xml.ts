import { columnName } from '../cell-type.ts'
import { rowXml, type WrittenCell } from './cell-xml.ts'

/** Columns with headers give the sheet a first row that stays in view, and a filter. `own`: the caller's column. */
export type SheetColumn = { header?: string; width: number; own?: boolean }

const namespaces =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

const frozenBelow = (rows: number): string =>
  `<pane ySplit="${rows}" topLeftCell="A${rows + 1}" activePane="bottomLeft" state="frozen"/>` +
  `<selection pane="bottomLeft" activeCell="A${rows + 1}" sqref="A${rows + 1}"/>`

/** Landscape, with as many pages as needed. A narrow table is fitted to one page; a wide one would be too small to read. */
const onPaper = '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>'
const fitsOnPaper = (columns: readonly SheetColumn[]): boolean => columns.length <= 16
const fit = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>'

/** High enough for three lines: the names of columns are longer than the cells below them. */
const headerRow = (cells: readonly WrittenCell[]): string =>
  rowXml(cells).replace('<row>', '<row ht="48" customHeight="1">')

/** Without it Excel puts a green corner on each document, and offers to convert it to a number. */
const documentsAreText = '<ignoredErrors><ignoredError sqref="A1:XFD1048576" numberStoredAsText="1"/></ignoredErrors>'

export const hasHeader = (columns: readonly SheetColumn[]): boolean =>
  columns.some(({ header }) => header !== undefined)

/** Titles stand above the header, and stay in view with it. */
export type SheetTitles = readonly (readonly string[])[]

export const openSheet = (columns: readonly SheetColumn[], titles: SheetTitles = []): string => {
  const widths = columns.map(({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
  const header = columns.map(
    ({ header, own }): WrittenCell => ({ text: header ?? '', type: 't', look: own ? 'ownHeader' : 'header' }),
  )
  return (
    `<worksheet ${namespaces}>${fitsOnPaper(columns) ? fit : ''}<sheetViews><sheetView workbookViewId="0">${hasHeader(columns) ? frozenBelow(titles.length + 1) : ''}</sheetView></sheetViews>` +
    `${widths.length > 0 ? `<cols>${widths.join('')}</cols>` : ''}<sheetData>\n${titles.map(titleRow).join('')}${hasHeader(columns) ? headerRow(header) : ''}`
  )
}

const titleRow = (cells: readonly string[]): string => rowXml(cells.map((text) => ({ text, type: 't' })))

export const closeSheet = (
  columns: readonly SheetColumn[],
  place: TablePlace,
  { hasChart, merged }: { hasChart: boolean; merged: readonly string[] },
): string => {
  const filter = hasHeader(columns) ? `<autoFilter ref="${tableRange(columns, place)}"/>` : ''
  const ranges = merged.map((range) => `<mergeCell ref="${range}"/>`)
  const merges = merged.length > 0 ? `<mergeCells count="${merged.length}">${ranges.join('')}</mergeCells>` : ''
  return `</sheetData>${filter}${merges}${onPaper}${documentsAreText}${hasChart ? '<drawing r:id="rId1"/>' : ''}</worksheet>`
}

/** How many titles stand above a table's header, and how many rows below it. */
type TablePlace = { titles: number; rows: number }

/** From the header to the last row below it; with a sign such as `$` before each letter and number. */
export const tableRange = (columns: readonly SheetColumn[], { titles, rows }: TablePlace, sign = ''): string =>
  `${sign}A${sign}${titles + 1}:${sign}${columnName(columns.length)}${sign}${titles + rows + 1}`

const longest = 31

/**
 * A valid name for a sheet: at most 31 characters, none of `[]:*?/\`, and different from all others of the workbook even
 * without regard to case. The second sheet of a table is called `Name (2)`.
 */
export const sheetName = (wanted: string, taken: readonly string[]): string => {
  const clean =
    wanted
      .replace(/[[\]:*?/\\\p{C}]/gu, ' ')
      .trim()
      .replace(/^'+|'+$/g, '') || 'Sheet'
  const used = new Set(taken.map((name) => name.toLowerCase()))
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`
    const name =
      clean
        .slice(0, longest - suffix.length)
        .toWellFormed()
        .trimEnd() + suffix
    if (!used.has(name.toLowerCase())) return name
  }
}

/** Rows that were produced elsewhere, each a line as `rowXml` makes it, in pieces of any size; or cells to make them of. */
export type SheetRows =
  | { lines: AsyncIterable<Uint8Array> }
  | { cells: AsyncIterable<readonly WrittenCell[]> | Iterable<readonly WrittenCell[]> }

export type RowSource = ReturnType<typeof sourceOfRows>

/** Gives rows in shares: if a sheet is full, the next one continues with the row that follows. */
export const sourceOfRows = (rows: SheetRows) => {
  const pieces = 'lines' in rows ? linesOf(rows.lines) : linesOfCells(rows.cells)
  let rest: Uint8Array | undefined
  let taken = 0
  const isOver = async (): Promise<boolean> => {
    while (!rest?.length) {
      const { done, value } = await pieces.next()
      if (done) return true
      rest = value
    }
    return false
  }
  return {
    isOver,

    /** How many rows the last share held. */
    get rows() {
      return taken
    },

    async *take(most: number): AsyncGenerator<Uint8Array> {
      taken = 0
      while (!(await isOver())) {
        const piece = rest as Uint8Array
        const { end, rows } = endOfRows(piece, most - taken)
        taken += rows
        rest = end < piece.length ? piece.subarray(end) : undefined
        if (end > 0) yield piece.subarray(0, end)
        if (rest) return
      }
    },

    /** Closes the rest of the rows: rows from a database keep their connection until they are closed. */
    close: async (): Promise<void> => void (await pieces.return(undefined)),
  }
}

/** The bytes that hold at most that many rows, and how many rows they hold. An incomplete row is not counted. */
const endOfRows = (bytes: Uint8Array, most: number): { end: number; rows: number } => {
  let end = 0
  for (let rows = 0; rows < most; rows++) {
    const newline = bytes.indexOf(0x0a, end)
    if (newline < 0) return { end: bytes.length, rows }
    end = newline + 1
  }
  return { end, rows: most }
}

async function* linesOf(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* lines
}

async function* linesOfCells(
  cells: AsyncIterable<readonly WrittenCell[]> | Iterable<readonly WrittenCell[]>,
): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const row of cells) {
    text += rowXml(row)
    if (text.length < pieceSize) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

const pieceSize = 64 * 1024
