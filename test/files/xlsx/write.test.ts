import { Readable, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { cellType } from '../../../src/files/xlsx/cell-type.ts'
import { readWorkbook } from '../../../src/files/xlsx/read-workbook.ts'
import { rowXml, type WrittenCell } from '../../../src/files/xlsx/write/cell-xml.ts'
import { openSheet, sheetName, tableRange } from '../../../src/files/xlsx/write/sheet-xml.ts'
import { type SheetToWrite, writeWorkbook } from '../../../src/files/xlsx/write-workbook.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { runs } from '../../support/runs.ts'
import { inPieces, rowsIn, written } from './hand-made.ts'

const properties = { title: 'Relatório', creator: 'Vigia', created: new Date(0) }

const sheetOf = (...rows: WrittenCell[][]): SheetToWrite => ({ name: 'Plan1', columns: [], rows: { cells: rows } })

const text = fc.oneof(
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom('_', 'x', '0', 'D', '5', 'F', '\r', '\n', '\t', ' ', '&', '<', '=', ']', '>'),
    minLength: 1,
  }),
)
const day = fc.date({ min: new Date('1900-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
const cell: fc.Arbitrary<WrittenCell> = fc.oneof(
  text.filter((value) => !value.includes('\0')).map((value) => ({ text: value.toWellFormed(), type: cellType.text })),
  fc.integer({ min: -(10 ** 14), max: 10 ** 14 }).map((value) => ({ text: `${value}`, type: cellType.number })),
  fc.integer({ min: 1, max: 10 ** 9 }).map((value) => ({ text: `${value}.25`, type: cellType.number })),
  day.map((value) => ({ text: value.toISOString().slice(0, 10), type: cellType.date })),
  day.map((value) => ({ text: value.toISOString().slice(0, 19).replace('T', ' '), type: cellType.dateTime })),
  fc.constantFrom('TRUE', 'FALSE').map((value) => ({ text: value, type: cellType.boolean })),
  fc.constantFrom('#N/A', '#REF!').map((value) => ({ text: value, type: cellType.error })),
)

property.prop([fc.array(fc.array(cell, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 20 })], runs(30))(
  'what is written is read back, cell by cell and type by type',
  async (rows) => {
    const found = await rowsIn(await written({ sheets: [sheetOf(...rows)] }))
    expect(found.map(({ cells }) => cells)).toEqual(rows.map((row) => row.map((one) => one.text)))
    expect(found.map(({ types }) => types)).toEqual(rows.map((row) => row.map((one) => one.type).join('')))
  },
)

test('times are written so that they are read back: of a day, of more than a day, and with their date', async () => {
  const times: WrittenCell[] = [
    { text: '08:30:00', type: cellType.time },
    { text: '31:00:00', type: cellType.time },
    { text: '1080012:00:00', type: cellType.time },
    { text: '2023-03-15 12:00:00', type: cellType.dateTime },
    { text: '1900-01-01 06:00:00', type: cellType.dateTime },
  ]
  const [row] = await rowsIn(await written({ sheets: [sheetOf(times)] }))
  expect([row?.cells, row?.types]).toEqual([times.map((one) => one.text), 'hhhDD'])
})

test('text stays text, whatever it begins with, and characters that XML lacks come back', async () => {
  const texts = ['=1+1', '+1', '-1', '@a', '00191', '1e5', ' a ', '\u0001\u001f', 'a\r\nb', '_x000D_', '😀', '\ufffe']
  const bytes = await written({ sheets: [sheetOf(texts.map((value) => ({ text: value, type: cellType.text })))] })
  const [row] = await rowsIn(bytes)
  expect(row?.cells).toEqual(texts)
  expect(row?.types).toBe('t'.repeat(texts.length))
})

test('titles stand above the header and stay in view with it, and the filter begins at the header', async () => {
  const columns = [
    { header: 'CPF', width: 10 },
    { header: 'Nome', width: 10 },
  ]
  const row = (n: number): WrittenCell[] => [{ text: `${n}`, type: cellType.number }]
  const titles = [['Carteira', 'março'], []]
  const sheet = { name: 'Plan1', titles, columns, rows: { cells: [row(1), row(2), row(3)] } }
  const bytes = await written({ sheets: [sheet] }, { rowsInSheet: 5 })

  await using workbook = await readWorkbook(Readable.from([bytes]))
  expect(workbook.sheets.map(({ name }) => name)).toEqual(['Plan1', 'Plan1 (2)'])
  expect((await rowsIn(bytes)).map(({ number, cells }) => [number, ...cells])).toEqual([
    [1, 'Carteira', 'março'],
    [3, 'CPF', 'Nome'],
    [4, '1'],
    [5, '2'],
  ])
  expect(openSheet(columns, titles)).toContain('ySplit="3" topLeftCell="A4"')
  expect(tableRange(columns, { titles: 2, rows: 2 })).toBe('A3:B5')
})

test('a text that is too long for a cell ends in an ellipsis', async () => {
  const long = [`${'a'.repeat(32_765)}😀b`, 'ç'.repeat(40_000), 'd'.repeat(32_767)]
  const [row] = await rowsIn(
    await written({ sheets: [sheetOf(long.map((value) => ({ text: value, type: cellType.text })))] }),
  )
  expect(row?.cells.map((value) => [value.length, value.at(-1)])).toEqual([
    [32_766, '…'],
    [32_767, '…'],
    [32_767, 'd'],
  ])
})

test('an invalid number, date or error is written as text', async () => {
  const odd: WrittenCell[] = [
    { text: '1</v><f>1+1</f>', type: cellType.number },
    { text: '2026-02-30', type: cellType.date },
    { text: '#HACK<', type: cellType.error },
  ]
  const [row] = await rowsIn(await written({ sheets: [sheetOf(odd)] }))
  expect([row?.cells, row?.types]).toEqual([odd.map((one) => one.text), 'ttt'])
})

test('a table that fills its sheet continues in another, each with its header', async () => {
  const lines = Readable.from(
    inCrumbs(Array.from({ length: 10 }, (_, i) => rowXml([{ text: `${i}`, type: 'n' }])).join('')),
  )
  const table: SheetToWrite = { name: 'Clientes', columns: [{ header: 'n', width: 10 }], rows: { lines } }
  const bytes = await written({ sheets: [table, { ...sheetOf(), name: 'clientes' }] }, { rowsInSheet: 5 })
  await using workbook = await readWorkbook(inPieces(bytes))
  expect(workbook.sheets.map(({ name }) => name)).toEqual(['Clientes', 'Clientes (2)', 'Clientes (3)', 'clientes (4)'])
  const cells = await Promise.all(
    [0, 1, 2].map(async (i) => (await rowsIn(bytes, workbook.sheets[i]!.name)).map((row) => row.cells[0])),
  )
  expect(cells).toEqual([
    ['n', '0', '1', '2', '3'],
    ['n', '4', '5', '6', '7'],
    ['n', '8', '9'],
  ])
})

test('a table that fills its sheet to the last row makes no empty one', async () => {
  const rows = Array.from({ length: 4 }, (): WrittenCell[] => [{ text: '1', type: 'n' }])
  const bytes = await written(
    { sheets: [{ ...sheetOf(...rows), columns: [{ header: 'n', width: 9 }] }] },
    { rowsInSheet: 5 },
  )
  await using workbook = await readWorkbook(inPieces(bytes))
  expect(workbook.sheets).toHaveLength(1)
})

test('rows are requested only as fast as the sink takes them', async () => {
  let asked = 0
  const hundred = () => rowXml([{ text: `${Math.random()}`, type: cellType.text }]).repeat(100)
  async function* endless(): AsyncGenerator<Buffer> {
    for (; ; asked++) yield Buffer.from(hundred())
  }
  const stuck = new Writable({ highWaterMark: 1024, write: () => {} })
  const writing = writeWorkbook(stuck, { properties, sheets: [{ ...sheetOf(), rows: { lines: endless() } }] })
  writing.catch(() => {})
  for (let turn = 0; turn < 200; turn++) await setImmediate()
  const before = asked
  for (let turn = 0; turn < 200; turn++) await setImmediate()
  expect(asked).toBe(before)
  expect(asked).toBeLessThan(100)
  stuck.destroy()
})

test('a source that fails, and a sink that fails, each end the writing with their error', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.from('<row/>\n')
    throw new Error('the database went away')
  }
  const sheet = { ...sheetOf(), rows: { lines: failing() } }
  await expect(written({ sheets: [sheet] })).rejects.toThrow('the database went away')
  let isLetGo = false
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield Buffer.alloc(1024 * 1024, '<row/>\n')
    } finally {
      isLetGo = true
    }
  }
  let capacity = 3
  // Like the sink of a file: it has no listener for errors.
  const full = new Writable({
    write: (_piece, _encoding, done) => done(capacity-- > 0 ? null : new Error('the disk is full')),
  })
  const toFull = writeWorkbook(full, { properties, sheets: [{ ...sheetOf(), rows: { lines: endless() } }] })
  await expect(toFull).rejects.toThrow('the disk is full')
  expect(isLetGo).toBe(true)
})

test('a sheet gets a valid name', () => {
  expect(sheetName("'a/b:c*'", [])).toBe('a b c')
  expect(sheetName('', ['sheet'])).toBe('Sheet (2)')
  expect(sheetName('x'.repeat(40), ['X'.repeat(31)])).toBe(`${'x'.repeat(27)} (2)`)
})

function* inCrumbs(all: string): Generator<Buffer> {
  for (let at = 0; at < all.length; at += 7) yield Buffer.from(all.slice(at, at + 7))
}
