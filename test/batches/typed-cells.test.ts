import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { joinedCells, typedRows } from '../../src/batches/workbook/own-cells.ts'
import { readWorkbook } from '../../src/files/xlsx/read-workbook.ts'
import type { WrittenCell } from '../../src/files/xlsx/write/cell-xml.ts'
import { writeWorkbook } from '../../src/files/xlsx/write-workbook.ts'

const cells: WrittenCell[] = [
  { text: '00000000191', type: 't' },
  { text: '1234.5', type: 'n' },
  { text: '', type: '-' },
  { text: '2026-11-15', type: 'd' },
  { text: '2026-11-15 08:30:00', type: 'D' },
  { text: 'TRUE', type: 'b' },
  { text: '#N/A', type: 'e' },
  { text: '=1+1', type: 't' },
]

test('the cells of a workbook are joined with the rows of its report by number, and keep their types', async () => {
  const rows = Array.from({ length: 2_000 }, (_, n) => [...cells, { text: `${n}`, type: 'n' } as const])
  await using original = await readWorkbook(inPieces(await written([[{ text: 'Título', type: 't' }], ...rows])))
  const own = joinedCells(typedRows(original.rows('Plan1'), { width: 12, ownColumns: 0 }))

  const wanted = [2, 3, 500, 1_999, 2_001]
  const lines: string[] = []
  for (const line of wanted) lines.push(`<row>${await own.at({ line, start: 0, size: 0 })}</row>\n`)
  await own.close()

  await using again = await readWorkbook(inPieces(await written(asLines(lines))))
  const found: [string, string][] = []
  for await (const group of again.rows('Plan1')) {
    found.push(...group.map(({ cells, types }): [string, string] => [cells.join('|'), types]))
  }
  const types = cells.map(({ type }) => type).join('')
  expect(found).toEqual(wanted.map((line) => [`${cells.map(({ text }) => text).join('|')}|${line - 2}`, `${types}n`]))
})

test('in a row with extra cells too, only the columns that Vigia added are left out', async () => {
  const row = (number: number, cells: string[]) => ({ number, hidden: false, cells, types: 't'.repeat(cells.length) })
  const rows = async function* () {
    yield [
      row(2, ['Ana', '1', 'paid', 'late', '2', 'columns', 'x']),
      row(3, ['Bia', '2', '', '3', 'length', 'x']),
      row(4, ['Rui']),
    ]
  }
  const found: [number, string[]][] = []
  for await (const group of typedRows(rows(), { width: 3, ownColumns: 3 })) {
    for (const { cellsXml } of group) {
      const texts = [...cellsXml.matchAll(/<t>([^<]*)/g)].map(([, text]) => text as string)
      found.push([cellsXml.match(/<c\b/g)!.length, texts])
    }
  }
  expect(found).toEqual([
    [4, ['Ana', '1', 'paid', 'late']],
    [3, ['Bia', '2']],
    [3, ['Rui']],
  ])
})

test('a row that is missing in the workbook is an error, not skipped', async () => {
  const rows = async function* () {
    yield [{ line: 2, cellsXml: '<c/>' }]
    yield [{ line: 4, cellsXml: '<c/>' }]
  }
  const own = joinedCells(rows())
  expect(await own.at({ line: 2, start: 0, size: 0 })).toBe('<c/>')
  await expect(async () => own.at({ line: 3, start: 0, size: 0 })).rejects.toThrow('no row 3')
  await expect(async () => own.at({ line: 9, start: 0, size: 0 })).rejects.toThrow('fewer rows')
})

type Rows = { cells: WrittenCell[][] } | { lines: AsyncIterable<Uint8Array> }

const asLines = (lines: string[]): Rows => ({ lines: inPieces(Buffer.from(lines.join(''))) })

const written = async (rows: WrittenCell[][] | Rows): Promise<Buffer> => {
  const pieces: Buffer[] = []
  const sink = new Writable({
    write(piece, _encoding, done) {
      pieces.push(piece)
      done()
    },
  })
  const properties = { title: 'a', creator: 'b', created: new Date(0) }
  const sheet = { name: 'Plan1', columns: [], rows: Array.isArray(rows) ? { cells: rows } : rows }
  await writeWorkbook(sink, { properties, sheets: [sheet] })
  return Buffer.concat(pieces)
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
