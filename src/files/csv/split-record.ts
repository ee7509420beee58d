import { type Columns, keptCells } from '../columns/find-columns.ts'
import type { Delimiter, Dialect } from './dialect.ts'

/**
 * The cells of one record, as the reader of files found them at its import. If a quote is never closed, all quotes of the
 * record are ordinary characters; a quote that does not open its cell always is.
 *
 * This reads a record by itself in a microsecond; a parser would have to be created for each.
 */
export const splitRecord = (record: string, delimiter: Delimiter): string[] =>
  (record.includes('"') && splitQuoted(record, delimiter)) || record.split(delimiter)

/** Null where a quote is never closed. */
const splitQuoted = (record: string, delimiter: Delimiter): string[] | null => {
  const cells: string[] = []
  for (let from = 0; from <= record.length; ) {
    const closing = record[from] === '"' ? closingQuote(record, from) : from - 1
    if (closing === never) return null
    const next = record.indexOf(delimiter, closing + 1)
    const end = next < 0 ? record.length : next
    const isQuoted = record[from] === '"' && end === closing + 1
    cells.push(isQuoted ? record.slice(from + 1, closing).replaceAll('""', '"') : record.slice(from, end))
    from = end + 1
  }
  return cells
}

const never = -2

/** Doubled quotes belong to the cell. */
const closingQuote = (record: string, opening: number): number => {
  let at = record.indexOf('"', opening + 1)
  while (at >= 0 && record[at + 1] === '"') at = record.indexOf('"', at + 2)
  return at < 0 ? never : at
}

/**
 * The raw text of a record without the cells that Vigia had added to it.
 *
 * It restores a rejects file without those columns. Every other byte stays as it was, even in rows that were not fixed.
 */
export const keepColumns = (raw: Buffer, columns: Pick<Columns, 'width' | 'ownColumns'>, dialect: Dialect): Buffer => {
  const record = walk(raw, Number.POSITIVE_INFINITY, dialect, false)
  const kept = keptCells(record.columns, columns)
  return raw.subarray(0, walk(raw, kept, dialect, record.misquoted).end)
}

/** How many columns a record lacks to be `width` wide; spreadsheets leave out empty cells at the end of a row. */
export const missingColumns = (raw: Buffer, width: number, dialect: Dialect): number =>
  width - walk(raw, width, dialect, false).columns

type Walked = { end: number; columns: number; misquoted: boolean }

/**
 * Walks over up to `width` columns: returns where they end, and how many there were. If a quote is never closed, all
 * quotes of its record count as ordinary characters.
 */
const walk = (raw: Buffer, width: number, dialect: Dialect, misquoted: boolean): Walked => {
  const delimiter = dialect.delimiter.charCodeAt(0)
  let columns = 1
  for (let at = 0; at <= raw.length; at++) {
    if (raw[at] === quote && !misquoted) {
      at = quotedEnd(raw, at)
      if (at < 0) return walk(raw, width, dialect, true)
    }
    at = raw.indexOf(delimiter, at)
    if (at < 0) break
    if (columns === width) return { end: at, columns, misquoted }
    columns++
  }
  return { end: raw.length, columns, misquoted }
}

const quote = 0x22

/** Where the quoted part of a cell ends, or -1; doubled quotes belong to it. */
const quotedEnd = (raw: Buffer, opening: number): number => {
  let at = raw.indexOf(quote, opening + 1)
  while (at >= 0 && raw[at + 1] === quote) at = raw.indexOf(quote, at + 2)
  return at < 0 ? at : at + 1
}
