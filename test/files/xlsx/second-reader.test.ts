import { readXlsx } from 'hucre'
import { expect, test } from 'vitest'
import type { WrittenCell } from '../../../src/files/xlsx/write/cell-xml.ts'
import { formulaPayloads } from '../../office/formula-payloads.ts'
import { written } from './hand-made.ts'

const rows = formulaPayloads
  .filter((payload) => !/[\r\v]/.test(payload))
  .map((payload, i): WrittenCell[] => [
    { text: payload, type: 't' },
    { text: `${i}.5`, type: 'n', look: 'amount' },
    { text: i % 2 === 0 ? 'TRUE' : 'FALSE', type: 'b' },
    { text: '', type: '-' },
    { text: '2026-11-15', type: 'd' },
  ])

test('an independent reader agrees with ours on each cell', async () => {
  const { sheets } = await readXlsx(await written({ sheets: [{ name: 'Plan1', columns: [], rows: { cells: rows } }] }))

  expect(sheets.map(({ name }) => name)).toEqual(['Plan1'])
  expect(sheets[0]?.rows).toEqual(
    rows.map(([text], i) => [text?.text, i + 0.5, i % 2 === 0, null, new Date('2026-11-15')]),
  )
})
