import { expect, test } from 'vitest'
import { findHeader } from '../../../src/files/columns/find-header.ts'
import { headersKey, type ReadOptions, type RememberedColumns } from '../../../src/files/columns/read-options.ts'
import { cpf } from '../../support/documents.ts'

const find = (rows: string[][], choice: ReadOptions = {}, remembered: RememberedColumns[] = []) =>
  findHeader(
    rows.map((cells, i) => ({ line: i + 1, cells })),
    { kind: 'analysis', choice, remembered },
  )

const titles = [['Relatório de CPF dos clientes'], ['Emitido em 15/11/2026', ''], ['']]

test('finds the header below titles', () => {
  expect(find([...titles, ['Nome', 'CPF'], ['Ana', cpf(1)]])).toMatchObject({
    at: 3,
    columns: { document: 1, name: 0 },
  })
})

test('takes a header of one column where the table has only one column', () => {
  expect(find([['CPF'], [cpf(1)]])).toMatchObject({ at: 0, columns: { document: 0 } })
})

test('uses the header line that a person names', () => {
  const rows = [
    ['CPF', 'Nome'],
    ['Doc', 'CPF'],
    [cpf(1), cpf(2)],
  ]
  expect(find(rows, { headerLine: 2 })).toMatchObject({ at: 1, columns: { document: 1 } })
  expect(() => find(rows, { headerLine: 9 })).toThrow('there is no header at line 9')
})

test('offers the column whose cells are documents, and uses it only when chosen', () => {
  const rows = [...titles, ['Cliente', 'Doc. Cliente'], ['Ana', cpf(1)], ['Rui', cpf(2)], ['Eva', 'não tem']]
  expect(() => find(rows)).toThrow(
    'the header has "Cliente", "Doc. Cliente", but no column of documents "documento", "cpf", "cnpj" or "cpf_cnpj": its cells show which one it is, so add --column documento="Doc. Cliente"',
  )
  expect(find(rows, { columns: { documento: 'Doc. Cliente' } })).toMatchObject({ at: 3, columns: { document: 1 } })
})

test('offers nothing where no cells are documents', () => {
  expect(() =>
    find([
      ['a', 'b'],
      ['x', '1'],
      ['y', '2'],
    ]),
  ).toThrow('say which it is with --column documento="…"')
})

test('reads the same headers as somebody chose before, whatever their case and order of titles', () => {
  const headers = ['Cliente', 'Doc. Cliente']
  const remembered = [{ id: 7n, key: headersKey(headers), columns: { documento: 'Doc. Cliente', nome: 'Cliente' } }]
  const found = find([['Carteira'], ['CLIENTE', 'DOC CLIENTE', ''], ['Ana', cpf(1)]], {}, remembered)
  expect(found).toMatchObject({ at: 1, columns: { document: 1, name: 0 }, remembered: { id: 7n } })
})

test('resolves an ambiguous number by the type that was given for the file', () => {
  expect(find([['CNPJ'], [cpf(1)]], { documentType: 'CPF' }).columns.likely).toBe('CPF')
})

test('shows no document of a row that stands in place of the header', () => {
  const rows = [
    [cpf(1), 'Ana'],
    [cpf(2), 'Rui'],
  ]
  expect(() => find(rows, { headerLine: 1 })).toThrow(/the first line is no header: read it as a row with --no-header/)
  const choice = { headerLine: 1, columns: { documento: 'x' } }
  expect(() => find(rows, choice)).toThrow(/has "\*\*\*", "Ana"/)
})

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
