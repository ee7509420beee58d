import { expect, test } from 'vitest'
import { joinedCells, typedRows } from '../../src/batches/workbook/own-cells.ts'

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

test('rows are joined by their number, and one that is missing in the workbook is an error, not skipped', async () => {
  const own = joinedCells(
    (async function* () {
      for (const line of [2, 4, 5, 7]) yield [{ line, cellsXml: `<c>${line}</c>` }]
    })(),
  )
  const at = async (line: number) => own.at({ line, start: 0, size: 0 })
  expect([await at(2), await at(5)]).toEqual(['<c>2</c>', '<c>5</c>'])
  await expect(at(6)).rejects.toThrow('no row 6')
  await expect(at(9)).rejects.toThrow('fewer rows')
})
