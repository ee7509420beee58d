import { expect, test } from 'vitest'
import { bareColumns, findColumns } from '../../../src/files/csv/columns.ts'

test.each([
  'documento',
  'CPF',
  'cnpj',
  'cpf_cnpj',
  'CPF/CNPJ',
  'Cpf Cnpj',
  'document',
  'documentNumber',
  'code',
  ' Documento ',
])('finds the documents under %j', (name) => {
  expect(findColumns(['x', name], 'analysis')).toMatchObject({ document: 1, width: 2, ownColumns: 0 })
})

test('finds the other columns, accents and case ignored', () => {
  expect(findColumns(['Código', 'CPF', 'NOME', 'Tipo', 'Número_Processo'], 'analysis')).toEqual({
    width: 5,
    ownColumns: 0,
    ref: 0,
    document: 1,
    likely: 'CPF',
    name: 2,
    type: 3,
    process: 4,
  })
})

test('asks for process numbers where processes are to be inactivated', () => {
  expect(findColumns(['numero_processo'], 'inactivation')).toMatchObject({ process: 0, document: undefined })
  expect(() => findColumns(['documento'], 'inactivation')).toThrow(/no column of process numbers "numero_processo"/)
  expect(bareColumns('inactivation')).toMatchObject({ process: 0, document: undefined, width: 1 })
  expect(bareColumns('radar')).toMatchObject({ process: undefined, document: 0, width: 1 })
})

test('takes "code" for the documents only where no better name is there', () => {
  expect(findColumns(['code', 'documento'], 'radar')).toMatchObject({ document: 1 })
  expect(findColumns(['name', 'code', 'type'], 'radar')).toMatchObject({ document: 1, name: 0, type: 2 })
})

test('lists the names that occur twice', () => {
  const header = ['documento', 'Obs', 'valor', 'obs ', 'valor', '', '']
  expect(() => findColumns(header, 'analysis')).toThrow(
    'more than one column is named "obs", "valor": give each its own',
  )
})

test('does not choose between a column "cpf" and a column "cnpj"', () => {
  expect(() => findColumns(['cpf', 'cnpj'], 'analysis')).toThrow(/"cpf" and "cnpj" may both hold the document/)
})

test('says what to do where no column holds the documents', () => {
  expect(() => findColumns(['cliente', 'valor'], 'analysis')).toThrow(
    'the header has "cliente", "valor", but no column of documents "documento", "cpf", "cnpj" or "cpf_cnpj"',
  )
})

test('tells a missing header from a missing column, without showing the row', () => {
  const read = () => findColumns(['123.456.789-09', 'José'], 'analysis')
  expect(read).toThrow(/the first line is no header: put one above it/)
  expect(read).not.toThrow(/123\.456|José/)
})

test('recognises and strips the columns of a rejects file and of a report', () => {
  const rejects = ['documento', 'nome', 'reject_line', 'reject_reason', 'reject_detail']
  expect(findColumns(rejects, 'analysis')).toMatchObject({ width: 2, ownColumns: 3, document: 0 })
  const report = ['documento', 'result_status', 'result_detail', 'result_charged', 'result_document', 'ALL_count']
  expect(findColumns(report, 'analysis')).toMatchObject({ width: 1, ownColumns: 5, document: 0 })
  expect(findColumns(['documento', 'reject_reason'], 'analysis')).toMatchObject({ width: 2, ownColumns: 0 })
})

test.each([
  ['529.982.247-25', '529.982.247-25'],
  ['12.ABC.345/01DE-35', 'Ana'],
  ['12abc34501de35', '12abc34501de35'],
])('a row in place of the header, %s and %s, is told without its document', (...cells) => {
  expect(() => findColumns(cells, 'analysis')).toThrow(
    /^(the first line is no header|more than one column is named "\*\*\*")/,
  )
})
