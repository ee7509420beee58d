import { openCsv } from '../../files/csv/read.ts'
import type { CsvRecord } from '../../files/csv/record-parser.ts'
import { columnOf } from '../../files/xlsx/cell-type.ts'
import type { SheetColumn } from '../../files/xlsx/write/sheet-xml.ts'
import type { Batch } from '../../store/batches/batches.ts'
import type { Database } from '../../store/connect.ts'
import { type Layout, layoutOf, ownHeader } from '../layout.ts'
import { readStoredFile } from '../stored-file.ts'

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

type Range = { text: string; left: number; right: number; top: number; bottom: number }

/** Of the merged ranges of a sheet, those down to a row. Excel refuses a file in which two of them overlap. */
export const mergedDownTo = (ranges: readonly string[], last: number): string[] => {
  const kept: Range[] = []
  for (const text of ranges) {
    const range = rangeIn(text)
    if (!range || range.bottom > last || kept.length >= mostKept) continue
    if (!kept.some((other) => overlap(range, other))) kept.push(range)
  }
  return kept.map(({ text }) => text)
}

const mostKept = 500

const rangeIn = (text: string): Range | null => {
  const [, from = '', top = '', to = '', bottom = ''] =
    /^([A-Z]{1,3})([1-9]\d{0,6}):([A-Z]{1,3})([1-9]\d{0,6})$/.exec(text) ?? []
  const range = {
    text,
    left: columnOf(`${from}1`),
    right: columnOf(`${to}1`),
    top: Number(top),
    bottom: Number(bottom),
  }
  return range.left <= range.right && range.top <= range.bottom && range.right <= 16_384 ? range : null
}

const overlap = (one: Range, other: Range): boolean =>
  one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom
