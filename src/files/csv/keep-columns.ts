import { type Columns, keptCells } from '../columns/find-columns.ts'
import type { Dialect } from './dialect.ts'

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
      at = closingQuote(raw, at)
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
const closingQuote = (raw: Buffer, opening: number): number => {
  let at = raw.indexOf(quote, opening + 1)
  while (at >= 0 && raw[at + 1] === quote) at = raw.indexOf(quote, at + 2)
  return at < 0 ? at : at + 1
}
