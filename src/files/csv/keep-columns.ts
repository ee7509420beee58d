import type { Dialect } from './dialect.ts'

/**
 * The raw text of a record without the columns after the first `width`.
 *
 * It gives a mended rejects file back without the columns that Vigia had added, and every other byte as it was.
 */
export const keepColumns = (raw: Buffer, width: number, dialect: Dialect): Buffer =>
  raw.subarray(0, walk(raw, width, dialect, false).end)

/** How many columns a record lacks to be `width` wide; spreadsheets leave out empty cells at the end of a row. */
export const missingColumns = (raw: Buffer, width: number, dialect: Dialect): number =>
  width - walk(raw, width, dialect, false).columns

/** Walks over up to `width` columns: where they end, and how many there were. A quote that is never closed is a letter. */
const walk = (raw: Buffer, width: number, dialect: Dialect, misquoted: boolean): { end: number; columns: number } => {
  const delimiter = dialect.delimiter.charCodeAt(0)
  let columns = 1
  for (let at = 0; at <= raw.length; at++) {
    if (raw[at] === quote && !misquoted) {
      at = closingQuote(raw, at)
      if (at < 0) return walk(raw, width, dialect, true)
    }
    at = raw.indexOf(delimiter, at)
    if (at < 0) break
    if (columns === width) return { end: at, columns }
    columns++
  }
  return { end: raw.length, columns }
}

const quote = 0x22

/** Where the quoted part of a cell ends, or -1; doubled quotes belong to it. */
const closingQuote = (raw: Buffer, opening: number): number => {
  let at = raw.indexOf(quote, opening + 1)
  while (at >= 0 && raw[at + 1] === quote) at = raw.indexOf(quote, at + 2)
  return at < 0 ? at : at + 1
}
