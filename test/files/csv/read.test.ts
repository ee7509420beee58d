import { expect, test } from 'vitest'
import { detectDialect } from '../../../src/files/csv/detect-dialect.ts'
import type { Dialect } from '../../../src/files/csv/dialect.ts'
import { openCsv, readAhead } from '../../../src/files/csv/read.ts'
import { keepColumns } from '../../../src/files/csv/split-record.ts'
import { collect, inPieces, plain } from './bytes.ts'

/** Reads a text and adds the slices of it at each record's offsets. */
const read = async (
  text: string,
  dialect: Partial<Dialect> = {},
  options: Parameters<typeof openCsv>[2] = {},
  pieces = 7,
) => {
  const bytes = Buffer.from(text)
  const file = await openCsv(inPieces(bytes, pieces), { ...plain, ...dialect }, options)
  const records = (await collect(file.records)).flat()
  const rows = records.map((record) => ({ ...record, raw: bytes.subarray(record.start, record.end).toString() }))
  return { header: file.header, rows, blankLines: file.blankLines() }
}

test('gives the header apart, and the place of each record in bytes, without its line ending', async () => {
  const { header, rows } = await read('d;n\n1;"ção;""x""\n€"\r\n\n2;😀\n3;fim', {}, {}, 1)
  expect(header).toEqual({ line: 1, cells: ['d', 'n'], start: 0, end: 3 })
  expect(rows.map(({ raw }) => raw)).toEqual(['1;"ção;""x""\n€"', '2;😀', '3;fim'])
  expect(rows[0]?.cells).toEqual(['1', 'ção;"x"\n€'])
})

type Case = { text: string; rows: string[]; misquoted?: number[]; blank?: number }

/** Each row is written as its line and its cells. */
test.each<[string, Case & Partial<Dialect>]>([
  [
    'the line of a record after quoted newlines, blank lines and a sep= line',
    {
      text: 'sep=;\n\nd;n\n1;"a\nb\r\nc"\n\n  \n2;x\r\n3;y',
      sepLine: true,
      blank: 3,
      rows: ['4|1|a\nb\r\nc', '9|2|x', '10|3|y'],
    },
  ],
  ['ragged rows as they are', { text: 'd;n;r\n1\n2;a;b;c\n;;\n', rows: ['2|1', '3|2|a|b|c', '4|||'] }],
  ['an empty quoted cell as a row, not a blank line', { text: 'd\n""\n\n', blank: 1, rows: ['2|'] }],
  ['carriage returns only', { text: 'd;n\r1;"a\rb"\r2;c', newline: '\r', rows: ['2|1|a\rb', '4|2|c'] }],
  ['mixed line endings', { text: 'd;n\r\n1;a\n2;b\r\n3;c', newline: '\r\n', rows: ['2|1|a', '3|2|b', '4|3|c'] }],
  [
    'quotes inside a cell, and garbage behind a closing one, as letters',
    { text: 'd;n\n1;5" pipe\n="2";x\n3;"a"b;c\n', rows: ['2|1|5" pipe', '3|="2"|x', '4|3|"a"b|c'] },
  ],
  [
    'an unclosed quote as a letter of its line, where a quoted cell follows',
    { text: 'd;n\n1;"abc\n2;x\n3;"y"\n', rows: ['2|1|"abc', '3|2|x', '4|3|y'], misquoted: [2] },
  ],
  [
    'an unclosed quote as a letter of its line, at the end of the file too',
    {
      text: 'd;n\n1;a\n2;"abc\n3;x\n\n4;z',
      blank: 1,
      rows: ['2|1|a', '3|2|"abc', '4|3|x', '6|4|z'],
      misquoted: [3],
    },
  ],
  [
    'a quoted cell that begins with a quote and has a newline',
    { text: 'd;n\n1;"""a""\nb"\n2;x\n', rows: ['2|1|"a"\nb', '4|2|x'] },
  ],
  [
    'a carriage return too many before each line end as a part of no cell',
    {
      text: '"d";n\r\r\n"1";a\r\r\n\r\r\n2;b\r\n"3;c\r\r\n4;"d"\r\r\n5;e\n',
      newline: '\r\n',
      blank: 1,
      rows: ['2|1|a', '4|2|b', '5|"3|c', '6|4|d', '7|5|e'],
      misquoted: [5],
    },
  ],
])('reads %s', async (_, { text, rows, misquoted = [], blank = 0, ...dialect }) => {
  const found = await read(text, dialect)
  expect(found.rows.map(({ line, cells }) => [line, ...cells].join('|'))).toEqual(rows)
  expect(found.rows.filter((row) => row.misquoted).map(({ line }) => line)).toEqual(misquoted)
  expect(found.blankLines).toBe(blank)
})

test('loses no row when every line opens a quote and none closes it', async () => {
  const numbers = Array.from({ length: 200 }, (_, i) => String(i))
  const { rows } = await read(`d;n\n${numbers.map((number) => `${number};"abc`).join('\n')}\n`, {}, {}, 10_000)
  expect(rows.map(({ cells }) => cells[0])).toEqual(numbers)
})

test('continues after an unclosed quote that would swallow more than a record may hold', async () => {
  const rest = Array.from({ length: 5_000 }, (_, i) => `${i};nome`).join('\n')
  const { rows } = await read(`d;n\nx;"abc\n${rest}`, {}, { maxRecordSize: 10_000 }, 4_096)
  expect(rows).toHaveLength(5_001)
  expect(rows.filter(({ misquoted }) => misquoted)).toHaveLength(1)
})

test.each([
  ['plain text', 'a', 1024 ** 2],
  ['one quoted cell', '"', 1024 ** 2],
  ['delimiters', ';', undefined],
])('fails fast on a line of two gigabytes of %s', async (_, filling, maxRecordSize) => {
  const chunk = Buffer.alloc(64 * 1024, filling === '"' ? 'a' : filling)
  let sent = 0
  async function* endless() {
    yield Buffer.from(`d;n\n1;2\n${filling}`)
    for (; sent < 2 * 1024 ** 3; sent += chunk.length) yield chunk
  }
  const snapshot = openCsv(endless(), plain, { maxRecordSize }).then(({ records }) => collect(records))
  await expect(snapshot).rejects.toMatchObject({ name: 'FileProblem', code: 'record_too_long', line: 3 })
  expect(sent).toBeLessThan(2 * 1024 ** 2)
})

test('returns batches of about the requested size and lets the event loop turn between them', async () => {
  const text = `d;n\n${'12345678909;José da Silva\n'.repeat(30_000)}`
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const file = await openCsv(inPieces(Buffer.from(text), 1 << 20), plain, { batchSize: 1_000 })
  const batches = await collect(file.records)
  clearInterval(timer)
  expect(batches.length).toBeGreaterThan(10)
  expect(batches.flat()).toHaveLength(30_000)
  expect(turns).toBeGreaterThan(5)
})

test('reads the rows behind an unclosed quote in batches, however many they are', async () => {
  const rows = 100_000
  const file = await openCsv(inPieces(Buffer.from(`d;n\n1;"${'a\n'.repeat(rows)}`), 1 << 20), plain)
  const sizes = (await collect(file.records)).map((batch) => batch.length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(rows)
  expect(Math.max(...sizes)).toBeLessThan(40_000)
})

test('three bytes of a line end are known wherever the reading of a long file pauses', async () => {
  const row = '1;2\r\r\n'
  for (let shift = 0; shift < row.length; shift++) {
    const header = `documento;nome${'e'.repeat(shift)}\r\r\n`
    const dialect = await detectDialect(inPieces(Buffer.from(header + row.repeat(45_000))))
    expect(dialect).toMatchObject({ newline: '\r\n' })
    const { rows } = await read(header + row.repeat(12_000), dialect, {}, 100_000)
    expect(rows).toHaveLength(12_000)
    expect(new Set(rows.map(({ raw }) => raw))).toEqual(new Set(['1;2']))
  }
})

test('lets go of the source when the reading stops early', async () => {
  let released = false
  async function* source() {
    try {
      for (;;) yield Buffer.from('1;2\n'.repeat(20_000))
    } finally {
      released = true
    }
  }
  const { records } = await openCsv(source(), plain)
  for await (const _ of records) break
  expect(released).toBe(true)
})

test('cuts the columns that Vigia added off the raw text, and nothing else', async () => {
  const kept = (raw: string, width: number) => keepColumns(Buffer.from(raw), { width, ownColumns: 3 }, plain).toString()
  expect(kept('1;"a;""b"";\nc";x;3;check_digit;"11; digits"', 3)).toBe('1;"a;""b"";\nc";x')
  expect(kept('1;a', 3)).toBe('1;a')
  expect(kept('1;;;3;x', 3)).toBe('1;;')
  expect(kept('1;"a;x;y', 2)).toBe('1;"a')
})

test('cuts them off the end of a row that has cells too many, as those were counted when it was read', async () => {
  const kept = (raw: string) => keepColumns(Buffer.from(raw), { width: 3, ownColumns: 3 }, plain).toString()
  expect(kept('Ana;1;paid; late;2;columns;"4 cells; not 3"')).toBe('Ana;1;paid; late')
  expect(kept('Ana;1;"paid; late"; again;2;columns;x')).toBe('Ana;1;"paid; late"; again')
  expect(kept('"Silva; Ana";1;"paid; late;2;quotes;x')).toBe('"Silva; Ana";1;"paid; late')
})

test('the next one is asked for while the last is in use, and no more than that', async () => {
  const asked: number[] = []
  const seen: number[][] = []
  async function* source() {
    for (let n = 1; n <= 3; n++) {
      asked.push(n)
      yield n
    }
  }
  for await (const n of readAhead(source())) seen.push([n, asked.length])
  expect(seen).toEqual([
    [1, 2],
    [2, 3],
    [3, 3],
  ])
})

test('a failure comes after what was read before it', async () => {
  async function* source() {
    yield 'good'
    throw new Error('bad')
  }
  const read: string[] = []
  const all = async () => {
    for await (const each of readAhead(source())) read.push(each)
  }
  await expect(all()).rejects.toThrow('bad')
  expect(read).toEqual(['good'])
})

test('whoever stops early lets go of the source', async () => {
  let isClosed = false
  async function* source() {
    try {
      yield* [1, 2, 3]
    } finally {
      isClosed = true
    }
  }
  for await (const _ of readAhead(source())) break
  expect(isClosed).toBe(true)
})
