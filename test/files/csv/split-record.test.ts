import { fc, test as property } from '@fast-check/vitest'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { type Delimiter, delimiters } from '../../../src/files/csv/dialect.ts'
import { splitRecord } from '../../../src/files/csv/split-record.ts'

const split = (record: string, delimiter: Delimiter = ';') => splitRecord(Buffer.from(record), { delimiter })

const letters = fc.constantFrom('a', 'ç', '"', '""', ';', ',', ' ', '\n', '=', '0')
const cell = fc.array(letters, { maxLength: 8 }).map((parts) => parts.join(''))

property.prop([fc.array(cell, { minLength: 1, maxLength: 6 }), fc.constantFrom(...delimiters)])(
  'cells that were written with quotes where they need them come back',
  (cells, delimiter) => {
    const needsQuotes = (text: string) => /["\n]/.test(text) || text.includes(delimiter)
    const written = cells.map((text) => (needsQuotes(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(delimiter)
    expect(split(written, delimiter)).toEqual(cells)
  },
)

property.prop([fc.array(cell, { minLength: 1, maxLength: 4 })])(
  'a record is split as the parser of files splits it, wherever its quotes are in the line',
  (cells) => {
    const record = cells.join(';').replaceAll('\n', '').replaceAll('""', '"')
    const parsed = asParsed(record)
    fc.pre(record !== '' && parsed !== null)
    const unquoted = (cells: string[]) => cells.map((text) => text.replaceAll('"', ''))
    expect(unquoted(split(record))).toEqual(unquoted(parsed!))
  },
)

test('a quote that is closed in the middle of its cell, or never, is a letter', () => {
  expect(split('1;"oops;2"3;4')).toEqual(['1', '"oops;2"3', '4'])
  expect(split('1;"oops;2;3')).toEqual(['1', '"oops', '2', '3'])
})

const asParsed = (record: string): string[] | null => {
  try {
    return parse(record, { delimiter: ';', relax_quotes: true, relax_column_count: true })[0] ?? null
  } catch {
    return null
  }
}
