import type { Layout } from '../batches/layout.ts'
import { rowReader } from '../batches/layout.ts'
import type { PersonSearch } from '../domain/person-search.ts'
import type { Dialect } from '../files/csv/dialect.ts'
import { decodeText, encodeText } from '../files/csv/encoding.ts'
import { openCsv } from '../files/csv/read.ts'
import type { CsvRecord } from '../files/csv/record-parser.ts'

export type Range = { start: number; end: number }

/**
 * Finds the rows about a person, among titles and header too: a file without a header has a person in their place.
 * Where the columns are known, the row is also read as a question, because its type column may say what a number is.
 */
export const recordsAbout = async (
  source: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  search: PersonSearch,
  columns: Layout['columns'] | null = null,
): Promise<Range[]> => {
  const csv = await openCsv(source, dialect)
  const readRow = columns?.document === undefined ? null : rowReader(columns, 'analysis')
  const asks = (record: CsvRecord) =>
    readRow?.(record).some((each) => 'question' in each && each.question.question === search.document) ?? false
  const isAbout = (record: CsvRecord) => record.cells.some(search.isIn) || asks(record)
  const ranges: Range[] = [...csv.above, ...(csv.header ? [csv.header] : [])].filter(isAbout)
  for await (const records of csv.records) ranges.push(...records.filter(isAbout))
  return ranges
}

/**
 * Writes the same file with those rows blank, in its own encoding.
 *
 * Each row keeps its separators and its length in decoded text, so the positions of all other rows stay valid.
 */
export const blankRecords = (
  source: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  ranges: Range[],
): AsyncGenerator<Buffer> => encodeText(blanked(decodeText(source, dialect), dialect, ranges), dialect)

async function* blanked(text: AsyncIterable<Buffer>, dialect: Dialect, ranges: Range[]): AsyncGenerator<Buffer> {
  const delimiter = dialect.delimiter.charCodeAt(0)
  const waiting = [...ranges]
  let at = 0
  let quoted = false
  for await (const chunk of text) {
    const bytes = Buffer.from(chunk)
    for (let range = waiting[0]; range && range.start < at + bytes.length; range = waiting[0]) {
      const until = Math.min(range.end, at + bytes.length)
      for (let place = Math.max(range.start, at); place < until; place++) {
        const byte = bytes[place - at]
        if (byte === quote) quoted = !quoted
        if (quoted || byte !== delimiter) bytes[place - at] = space
      }
      if (range.end > until) break
      waiting.shift()
      quoted = false
    }
    at += bytes.length
    yield bytes
  }
}

const quote = 0x22
const space = 0x20
