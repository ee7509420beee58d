import { keptCells, nameColumn } from '../../files/columns/find-columns.ts'
import { decodeText } from '../../files/csv/encoding.ts'
import { splitRecord } from '../../files/csv/split-record.ts'
import { textCellXml } from '../../files/xlsx/write/cell-xml.ts'
import type { Layout } from '../layout.ts'
import type { RowPlace } from '../result-row.ts'
import { SlicedText } from '../sliced-text.ts'

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

/** For a text file: every cell is its text. `cut`: none stands beyond the header, under which results follow. */
export const csvCells = (bytes: AsyncIterable<Uint8Array>, layout: Layout, cut: boolean): OwnCells => {
  const text = new SlicedText(decodeText(bytes, layout.dialect))
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

export const nameIn = (cells: readonly string[], { columns }: { columns: Parameters<typeof nameColumn>[0] }): string =>
  cells[nameColumn(columns) ?? -1] ?? ''

/** Without the columns that Vigia added to an earlier file. */
const recordCells = (raw: Buffer, { dialect, columns }: Layout, cut: boolean): string[] => {
  const cells = splitRecord(raw.toString(), dialect.delimiter)
  return cells.slice(0, cut ? columns.width : keptCells(cells.length, columns))
}

/** A short row is padded, so that the next cells stand under their header. */
const cellsXml = (cells: readonly string[], width: number): string => {
  let xml = ''
  for (const cell of cells) xml += textCellXml(cell)
  for (let missing = width - cells.length; missing > 0; missing--) xml += '<c/>'
  return xml
}
