import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readWorkbook } from '../../src/files/xlsx/read-workbook.ts'
import { cpf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { workbookOf } from './people-workbook.ts'

test('a batch that came in as a workbook is exported as one, with the types of its cells', async () => {
  await using t = await setup()
  const sheet = {
    1: ['Carteira de clientes'],
    4: ['Nome', 'CPF', 'Valor', 'Desde'],
    5: ['Ana; "a"', cpf(1), 1234.5, { xml: 's="1"><v>45000</v>' }],
    6: ['José\nda Silva', Number(cpf(2)), 7, null],
    9: ['Rui', '123', 8, null],
  }
  const batch = await t.submit(workbookOf({ Plan1: sheet }), { fileName: 'people.xlsx' })
  await t.finished(batch)

  await using workbook = await readWorkbook(join(t.home, `outbox/people.${batch}/people.report.xlsx`))
  const rows = []
  for await (const group of workbook.rows('Resultados')) rows.push(...group)
  expect(rows.slice(0, 2).map(({ number, cells }) => [number, ...cells.slice(0, 5)])).toEqual([
    [1, 'Carteira de clientes'],
    [4, 'Nome', 'CPF', 'Valor', 'Desde', 'Situação'],
  ])
  expect(rows.slice(2).map(({ cells, types }) => [cells.slice(0, 5), types.slice(0, 5)])).toEqual([
    [['Ana; "a"', cpf(1), '1234.5', '2023-03-15', 'respondido'], 'ttndt'],
    [['José\nda Silva', cpf(2), '7', '', 'respondido'], 'tnn-t'],
    [['Rui', '123', '8', '', 'rejeitado'], 'ttn-t'],
  ])
  const rejected = []
  for await (const group of workbook.rows('Rejeitados')) rejected.push(...group)
  expect(rejected[1]!.cells.slice(3)).toEqual(['Rui', '123', '8'])
  expect(rejected[1]!.types).toBe('nttttn')
})
