import type { Delimiter } from './dialect.ts'

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
