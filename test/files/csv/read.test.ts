import { expect, test } from 'vitest'
import type { Dialect } from '../../../src/files/csv/dialect.ts'
import { openCsv } from '../../../src/files/csv/read.ts'
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
  return { header: file.header, rows, blankLines: file.blankLines(), lines: rows.map(({ line }) => line) }
}

test('yields the header apart from the rows', async () => {
  const { header, rows } = await read('documento;nome\n123;José\n456;Ana\n')
  expect(header).toEqual({ line: 1, cells: ['documento', 'nome'], start: 0, end: 14 })
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['123', 'José'],
    ['456', 'Ana'],
  ])
})

test('gives the line of a record also after quoted newlines, blank lines and a sep= line', async () => {
  const { lines, blankLines, header } = await read('sep=;\n\nd;n\n1;"a\nb\r\nc"\n\n  \n2;x\r\n3;y', { sepLine: true })
  expect(header?.line).toBe(3)
  expect(lines).toEqual([4, 9, 10])
  expect(blankLines).toBe(3)
})

test('gives the offsets of the raw text of each record, in bytes, without its line ending', async () => {
  const { rows } = await read('d;n\n1;"ção;""x""\n€"\r\n\n2;😀\n3;fim', {}, {}, 1)
  expect(rows.map(({ raw }) => raw)).toEqual(['1;"ção;""x""\n€"', '2;😀', '3;fim'])
  expect(rows[0]?.cells).toEqual(['1', 'ção;"x"\n€'])
})

test('passes ragged rows on as they are', async () => {
  const { rows } = await read('d;n;r\n1\n2;a;b;c\n;;\n')
  expect(rows.map(({ cells }) => cells)).toEqual([['1'], ['2', 'a', 'b', 'c'], ['', '', '']])
})

test('takes an empty quoted cell for a row, not for a blank line', async () => {
  const { rows, blankLines } = await read('d\n""\n\n')
  expect(rows.map(({ cells }) => cells)).toEqual([['']])
  expect(blankLines).toBe(1)
})

test('reads a file of carriage returns only', async () => {
  const { rows, lines } = await read('d;n\r1;"a\rb"\r2;c', { newline: '\r' })
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['1', 'a\rb'],
    ['2', 'c'],
  ])
  expect(lines).toEqual([2, 4])
})

test('reads mixed line endings row by row', async () => {
  const { rows } = await read('d;n\r\n1;a\n2;b\r\n3;c', { newline: '\r\n' })
  expect(rows.map(({ raw }) => raw)).toEqual(['1;a', '2;b', '3;c'])
})

test('reads quotes inside an unquoted cell, and garbage behind a closing one, as letters', async () => {
  const { rows } = await read('d;n\n1;5" pipe\n="2";x\n3;"a"b;c\n')
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['1', '5" pipe'],
    ['="2"', 'x'],
    ['3', '"a"b', 'c'],
  ])
  expect(rows.some(({ misquoted }) => misquoted)).toBe(false)
})

test('keeps an unclosed quote to its own line when another quoted cell follows', async () => {
  const { rows } = await read('d;n\n1;"abc\n2;x\n3;"y"\n4;z\n')
  expect(rows.map(({ raw, misquoted }) => [raw, misquoted])).toEqual([
    ['1;"abc', true],
    ['2;x', undefined],
    ['3;"y"', undefined],
    ['4;z', undefined],
  ])
  expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 5])
})

test('keeps an unclosed quote to its own line at the end of the file too', async () => {
  const { rows } = await read('d;n\n1;a\n2;"abc\n3;x\n\n4;z')
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['1', 'a'],
    ['2', '"abc'],
    ['3', 'x'],
    ['4', 'z'],
  ])
})

test('does not mistake a quoted cell that begins with a quote and has a newline', async () => {
  const { rows } = await read('d;n\n1;"""a""\nb"\n2;x\n')
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['1', '"a"\nb'],
    ['2', 'x'],
  ])
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
