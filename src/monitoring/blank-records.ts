import type { Layout } from '../batches/layout.ts'
import { readRow } from '../batches/layout.ts'
import type { Dialect } from '../files/csv/dialect.ts'
import { decodeText, encodeText } from '../files/csv/encoding.ts'
import { openCsv } from '../files/csv/read.ts'
import type { CsvRecord } from '../files/csv/record-parser.ts'

type Range = { start: number; end: number }

/** Where the rows about a person stand: those that ask about them, and those that merely mention them. */
export const recordsAbout = async (
  source: AsyncIterable<Uint8Array>,
  { dialect, columns }: Layout,
  document: string,
  texts: string[],
): Promise<Range[]> => {
  const csv = await openCsv(source, dialect)
  const ranges: Range[] = csv.above.filter((record) => mentions(record, texts))
  for await (const records of csv.records) {
    for (const record of records) {
      const about = asks(record, columns, document) || mentions(record, texts)
      if (about) ranges.push(record)
    }
  }
  return ranges
}

const asks = (record: CsvRecord, columns: Layout['columns'], document: string): boolean => {
  if (columns.document === undefined) return false
  const row = readRow(record, columns, 'analysis')
  return 'question' in row && row.question.question === document
}

const mentions = ({ cells }: CsvRecord, texts: string[]): boolean =>
  cells.some((cell) => texts.some((text) => cell.toUpperCase().includes(text)))

/**
 * The same file with those rows blank, in its own encoding.
 *
 * Each row keeps its length in decoded text and its separators, so that the places of all others stay true.
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
