import { isAscii, isUtf8 } from 'node:buffer'
import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { detectDialect } from '../../../src/files/csv/detect-dialect.ts'
import { type Delimiter, type Dialect, delimiters, type Encoding } from '../../../src/files/csv/dialect.ts'
import { decodeText, encodeText } from '../../../src/files/csv/encoding.ts'
import { openCsv } from '../../../src/files/csv/read.ts'
import type { CsvRecord } from '../../../src/files/csv/record-parser.ts'
import { FileProblem } from '../../../src/files/file-problem.ts'
import { runs } from '../../support/runs.ts'
import { collect, inPieces, joined, plain } from './bytes.ts'

const newlines = ['\r\n', '\n', '\r'] as const
const letter = fc.constantFrom(...'abcXYZ019 ;,|\t"\r\n\'=.-éçÃõ“”€–\u00a0')
const cell = fc.array(letter, { maxLength: 12 }).map((letters) => letters.join(''))
const document = fc.stringMatching(/^[0-9]{3}\.?[0-9]{8}$/)
const row = fc.tuple(document, cell, cell)

const table = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 40 }),
  delimiter: fc.constantFrom<Delimiter>(...delimiters),
  newline: fc.constantFrom(...newlines),
  encoding: fc.constantFrom<Encoding>('utf-8', 'utf-16le', 'utf-16be', 'windows-1252'),
  bom: fc.boolean(),
  lastLineEnds: fc.boolean(),
  pieces: fc.integer({ min: 1, max: 64 }),
})

test.prop([table], runs(60))(
  'gives every row of a well-written file back, cell by cell, and its raw text by its place',
  async ({ rows, pieces, ...written }) => {
    const { bytes, lines } = await write(rows, written)
    fc.pre(written.encoding !== 'windows-1252' || isAscii(bytes) || !isUtf8(bytes))

    const { dialect, header, records, text } = await read(bytes, pieces)

    expect(dialect).toMatchObject({ delimiter: written.delimiter, newline: written.newline, header: true })
    expect(header?.cells).toEqual(['documento', 'nome', 'obs'])
    expect(records.map(({ cells }) => cells)).toEqual(rows)
    expect(records.map(({ start, end }) => text.subarray(start, end).toString())).toEqual(lines)
  },
)

const brokenText = fc
  .array(fc.constantFrom('a', '1', ';', ';', '"', '"', '\n', '\n', '\r\n', '\r', ' ', 'é'), { maxLength: 80 })
  .map((letters) => `documento;n\n${letters.join('')}`)

test.prop([brokenText, fc.constantFrom('\n' as const, '\r' as const), fc.integer({ min: 1, max: 20 })], runs(100))(
  'leaves no text of a badly quoted file outside a record, and reads it alike in whatever pieces',
  async (broken, newline, pieces) => {
    const written = newline === '\r' ? broken.replaceAll('\n', '\r') : broken
    const dialect: Dialect = { ...plain, header: false, newline }
    const complete = await readAs(Buffer.from(written), dialect, 1_000)
    const cut = await readAs(Buffer.from(written), dialect, pieces)
    expect(cut).toEqual(complete)
    expectConserved(Buffer.from(written), complete, newline)
  },
)

const damage = fc.record({
  at: fc.nat(400),
  byte: fc.nat(255),
  how: fc.constantFrom('change', 'insert', 'remove', 'end'),
})

test.prop([table, fc.array(damage, { minLength: 1, maxLength: 4 })], runs(60))(
  'answers a damaged file by a FileProblem or with all of its text in records',
  async ({ rows, pieces, ...written }, damages) => {
    const { bytes } = await write(rows, written)
    const damaged = damages.reduce((before, { at, byte, how }) => {
      const place = Math.min(at, before.length)
      const rest = before.subarray(how === 'insert' ? place : place + 1)
      const put = how === 'change' || how === 'insert' ? [byte] : []
      return how === 'end'
        ? before.subarray(0, place)
        : Buffer.concat([before.subarray(0, place), Buffer.from(put), rest])
    }, bytes)

    const result = await read(damaged, pieces).catch((error: unknown) => error)

    if (result instanceof FileProblem) return
    const { dialect, header, all, text } = result as Awaited<ReturnType<typeof read>>
    expect(header === null).toBe(!dialect.header)
    expectConserved(text, all, dialect.newline, dialect.sepLine)
  },
)

type Written = { delimiter: Delimiter; newline: string; encoding: Encoding; bom: boolean; lastLineEnds: boolean }

const write = async (rows: string[][], { delimiter, newline, encoding, bom, lastLineEnds }: Written) => {
  const lines = rows.map((cells) => cells.map((text) => quoted(text, delimiter)).join(delimiter))
  const text = [['documento', 'nome', 'obs'].join(delimiter), ...lines].join(newline) + (lastLineEnds ? newline : '')
  const labelled = encoding.startsWith('utf-16') || (bom && encoding === 'utf-8')
  return { lines, bytes: await joined(encodeText(inPieces(Buffer.from(text)), { encoding, bom: labelled })) }
}

const quoted = (text: string, delimiter: string) =>
  text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

const read = async (bytes: Buffer, pieces: number) => {
  const dialect = await detectDialect(inPieces(bytes, pieces))
  const file = await openCsv(inPieces(bytes, pieces), dialect)
  const records = (await collect(file.records)).flat()
  const text = await joined(decodeText(inPieces(bytes, pieces), dialect))
  return { dialect, header: file.header, records, all: file.header ? [file.header, ...records] : records, text }
}

const readAs = async (bytes: Buffer, dialect: Dialect, pieces: number): Promise<CsvRecord[]> => {
  const file = await openCsv(inPieces(bytes, pieces), dialect)
  return (await collect(file.records)).flat()
}

/** Between two records there are only line endings and blank lines, and each line is counted right. */
const expectConserved = (text: Buffer, records: CsvRecord[], newline: string, sepLine = false): void => {
  const lineBreak = newline === '\r' ? '\r' : '\n'
  let end = sepLine ? text.toString().search(/[\r\n]|$/) : 0
  for (const record of records) {
    expect(text.subarray(end, record.start).toString().trim()).toBe('')
    expect(record.line).toBe(text.subarray(0, record.start).toString().split(lineBreak).length)
    expect(record.end).toBeGreaterThanOrEqual(record.start)
    end = record.end
  }
  expect(text.subarray(end).toString().trim()).toBe('')
}
