import type { Dialect } from './dialect.ts'

/**
 * The raw text of a record without the columns after the first `width`.
 *
 * It gives a mended rejects file back without the columns that Vigia had added, and every other byte as it was.
 */
export function keepColumns(raw: Buffer, width: number, dialect: Dialect, misquoted = false): Buffer {
  const delimiter = dialect.delimiter.charCodeAt(0)
  let columns = 0
  for (let at = 0; at <= raw.length; at++) {
    if (raw[at] === quote && !misquoted) at = closingQuote(raw, at)
    at = raw.indexOf(delimiter, at)
    if (at < 0) return raw
    if (++columns === width) return raw.subarray(0, at)
  }
  return raw
}

const quote = 0x22

/** Where the quoted part of a cell ends; doubled quotes belong to it. */
function closingQuote(raw: Buffer, opening: number): number {
  let at = raw.indexOf(quote, opening + 1)
  while (at >= 0 && raw[at + 1] === quote) at = raw.indexOf(quote, at + 2)
  return at < 0 ? raw.length : at + 1
}
