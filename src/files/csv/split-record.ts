import { type Columns, keptCells } from '../columns/find-columns.ts'
import type { Dialect } from './dialect.ts'

type Delimited = Pick<Dialect, 'delimiter'>

/**
 * The cells of one record, as the reader of files found them at its import. If a quote is never closed, all quotes of the
 * record are ordinary characters; a quote that does not open its cell always is.
 *
 * This reads a record by itself in a microsecond; a parser would have to be created for each.
 */
export const splitRecord = (raw: Buffer, dialect: Delimited): string[] => {
  const ends = raw.includes(quote) ? endsOfCells(raw, dialect) : null
  if (!ends) return raw.toString().split(dialect.delimiter)
  return ends.map((end, i) => {
    const from = i === 0 ? 0 : ends[i - 1]! + 1
    const isQuoted = raw[from] === quote && closingQuote(raw, from) === end - 1
    if (!isQuoted) return raw.toString('utf8', from, end)
    return raw.toString('utf8', from + 1, end - 1).replaceAll('""', '"')
  })
}

/**
 * The raw text of a record without the cells that Vigia had added to it.
 *
 * It restores a rejects file without those columns. Every other byte stays as it was, even in rows that were not fixed.
 */
export const keepColumns = (
  raw: Buffer,
  columns: Pick<Columns, 'width' | 'ownColumns'>,
  dialect: Delimited,
): Buffer => {
  const ends = endsOfCells(raw, dialect) ?? endsOfCells(raw, dialect, false)!
  return raw.subarray(0, ends[keptCells(ends.length, columns) - 1])
}

/** How many columns a record lacks to be `width` wide; spreadsheets leave out empty cells at the end of a row. */
export const missingColumns = (raw: Buffer, width: number, dialect: Delimited): number =>
  width - (endsOfCells(raw, dialect) ?? endsOfCells(raw, dialect, false)!).length

/** Where each cell of a record ends; null where a quote is never closed, unless quotes are ordinary characters. */
const endsOfCells = (raw: Buffer, { delimiter }: Delimited, hasQuotes = true): number[] | null => {
  const delimiterByte = delimiter.charCodeAt(0)
  const ends: number[] = []
  for (let from = 0; from <= raw.length; ) {
    const closing = hasQuotes && raw[from] === quote ? closingQuote(raw, from) : from
    if (closing < 0) return null
    const found = raw.indexOf(delimiterByte, closing)
    const end = found < 0 ? raw.length : found
    ends.push(end)
    from = end + 1
  }
  return ends
}

const quote = 0x22

/** Where the quoted part of a cell ends, or -1; doubled quotes belong to it. */
const closingQuote = (raw: Buffer, opening: number): number => {
  let at = raw.indexOf(quote, opening + 1)
  while (at >= 0 && raw[at + 1] === quote) at = raw.indexOf(quote, at + 2)
  return at
}
