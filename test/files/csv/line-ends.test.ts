import { expect, test } from 'vitest'
import { detectDialect } from '../../../src/files/csv/detect-dialect.ts'
import { openCsv } from '../../../src/files/csv/read.ts'
import { collect, inPieces } from './bytes.ts'

/** Detects how a text is written, then reads it so; adds the slices of it at each record's offsets. */
const read = async (text: string) => {
  const bytes = Buffer.from(text)
  const dialect = await detectDialect(inPieces(bytes))
  const file = await openCsv(inPieces(bytes), dialect)
  const records = (await collect(file.records)).flat()
  const rows = records.map((record) => ({ ...record, raw: bytes.subarray(record.start, record.end).toString() }))
  return { dialect, header: file.header, rows, blankLines: file.blankLines() }
}

test('a carriage return too many before each line end belongs to no cell', async () => {
  const { dialect, header, rows, blankLines } = await read(
    'nome;documento\r\r\nAna;52998224725\r\r\nRui;11144477735\r\r\n',
  )
  expect(dialect).toMatchObject({ newline: '\r\n', delimiter: ';', header: true })
  expect(header).toEqual({ line: 1, cells: ['nome', 'documento'], start: 0, end: 14 })
  expect(rows.map(({ line, cells, raw }) => [line, cells, raw])).toEqual([
    [2, ['Ana', '52998224725'], 'Ana;52998224725'],
    [3, ['Rui', '11144477735'], 'Rui;11144477735'],
  ])
  expect(blankLines).toBe(0)
})

test('nor does it keep a quote from closing its cell', async () => {
  const { dialect, header, rows } = await read('"documento"\r\r\n"52998224725"\r\r\n"11144477735"\r\r\n')
  expect(dialect).toMatchObject({ newline: '\r\n', header: true })
  expect(header?.cells).toEqual(['documento'])
  expect(rows.map(({ cells, raw, misquoted }) => [cells, raw, misquoted])).toEqual([
    [['52998224725'], '"52998224725"', undefined],
    [['11144477735'], '"11144477735"', undefined],
  ])
})

test('such line ends may stand among others, after a sep= line, on blank lines and behind a stray quote', async () => {
  const lines = ['sep=;\r\r\n', 'nome;documento\r\r\n', '\r\r\n', 'Ana;52998224725\r\n', '"Rui;11144477735\r\r\n']
  const { dialect, header, rows, blankLines } = await read(
    [...lines, 'Eva;"12345678909"\r\r\n', 'Bia;00000000191\n'].join(''),
  )
  expect(dialect).toMatchObject({ newline: '\r\n', sepLine: true, delimiter: ';' })
  expect(header?.cells).toEqual(['nome', 'documento'])
  expect(rows.map(({ line, raw, misquoted }) => [line, raw, misquoted])).toEqual([
    [4, 'Ana;52998224725', undefined],
    [5, '"Rui;11144477735', true],
    [6, 'Eva;"12345678909"', undefined],
    [7, 'Bia;00000000191', undefined],
  ])
  expect(blankLines).toBe(1)
})

test('they are known wherever the reading of a long file pauses', async () => {
  const row = '1;2\r\r\n'
  for (let shift = 0; shift < row.length; shift++) {
    const header = `documento;nome${'e'.repeat(shift)}\r\r\n`
    const sampled = Buffer.from(header + row.repeat(45_000))
    expect(await detectDialect(inPieces(sampled))).toMatchObject({ newline: '\r\n' })
    const found = await read(header + row.repeat(12_000))
    expect(found.rows).toHaveLength(12_000)
    expect(new Set(found.rows.map(({ raw }) => raw))).toEqual(new Set(['1;2']))
  }
})
