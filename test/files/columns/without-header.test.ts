import { expect, test } from 'vitest'
import { findHeader } from '../../../src/files/columns/find-header.ts'
import type { ReadOptions } from '../../../src/files/columns/read-options.ts'
import { cpf } from '../../support/documents.ts'

const find = (rows: string[][], choice: ReadOptions = {}) => {
  const sample = rows.map((cells, at) => ({ line: at + 1, cells }))
  return findHeader(sample, { kind: 'analysis', choice, remembered: [] })
}

test('a first row with a valid document is no header, and the only column of documents is asked about', () => {
  const rows = [
    ['Ana', cpf(1), '12'],
    ['Rui', cpf(2), '7'],
    ['Eva', 'unknown', '8'],
  ]
  expect(find(rows)).toMatchObject({ at: null, columns: { document: 1, name: undefined, width: 3 } })
  expect(find(rows.slice(0, 1))).toMatchObject({ at: null, columns: { document: 1 } })
})

test('columns without names are called by number, also below a header that names others', () => {
  const two = [
    ['Ana', cpf(1), cpf(11)],
    ['Rui', cpf(2), cpf(12)],
  ]
  expect(() => find(two)).toThrow('add one of --column documento="2", --column documento="3"')
  expect(find(two, { columns: { documento: '3', nome: '1' } })).toMatchObject({
    at: null,
    columns: { document: 2, name: 0 },
  })
  expect(() => find(two, { columns: { documento: '4' } })).toThrow(
    'no column is named "4": the header has "1", "2", "3"',
  )
  const partly = [['Cliente', '', '2'], ...two]
  expect(find(partly, { columns: { documento: '2' } })).toMatchObject({ at: 0, columns: { document: 2 } })
  expect(find([['Cliente', '', 'Outro'], ...two], { columns: { documento: '2' } })).toMatchObject({
    at: 0,
    columns: { document: 1 },
  })
})

test('a title that holds a document is no row: below it stands the name of a column', () => {
  const rows = [
    ['Credor', '11222333000181'],
    ['Cliente', 'Doc. Cliente'],
    ['Ana', cpf(1)],
    ['Rui', cpf(2)],
  ]
  expect(() => find(rows)).toThrow()
  expect(find(rows, { headerLine: 0 })).toMatchObject({ at: null, columns: { document: 1 } })
  expect(find([['Credor', '11222333000181'], ['nome', 'CPF'], ...rows.slice(2)])).toMatchObject({ at: 1 })
})
