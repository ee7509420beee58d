import { expect, test } from 'vitest'
import { bareColumns, findColumns } from '../../../src/files/columns/find-columns.ts'

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

test.each(['autorizacao', 'Autorização', 'Data da autorização SCR', 'Consentimento do cliente', 'consentReference'])(
  'finds the authorization under %j',
  (name) => expect(findColumns(['cpf', name], 'scr')).toMatchObject({ document: 0, authorization: 1 }),
)

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

test('reads a column of CPFs and one of CNPJs side by side', () => {
  const pair = { document: 0, cnpj: 1, likely: 'CPF' }
  expect(findColumns(['cpf', 'cnpj'], 'analysis')).toMatchObject(pair)
  expect(findColumns(['CPF do Cliente', 'CNPJ do Cliente'], 'analysis')).toMatchObject(pair)
})

test('does not choose between columns that are named alike', () => {
  expect(() => findColumns(['CPF do Cliente', 'CPF do Sócio'], 'analysis')).toThrow(
    'add one of --column documento="CPF do Cliente", --column documento="CPF do Sócio"',
  )
  expect(() => findColumns(['documento', 'cpf', 'cnpj'], 'analysis')).toThrow(/may each hold the document/)
})

test('takes a bare name rather than one that says whose document it is', () => {
  expect(findColumns(['CPF do responsável', 'CPF'], 'analysis')).toMatchObject({ document: 1 })
  expect(findColumns(['Nome do responsável', 'Nome', 'CPF'], 'radar')).toMatchObject({ name: 1 })
})

test.each([
  ['CPF do Cliente', { document: 0, likely: 'CPF' }],
  ['Nº do documento', { document: 0, likely: undefined }],
  ['N.º DOCUMENTO', { document: 0 }],
  ['Número do CPF / CNPJ', { document: 0, likely: undefined }],
  ['CNPJ da Empresa', { document: 0, likely: 'CNPJ' }],
  ['customerDocumentNumber', { document: 0 }],
])('recognizes %j by its tokens', (name, columns) => {
  expect(findColumns([name, 'Cidade'], 'analysis')).toMatchObject(columns)
})

test.each(['Razão Social', 'Nome completo', 'Nome do Cliente', 'NOME_CLIENTE', 'Full name', 'razaoSocial'])(
  'finds the name under %j',
  (name) => {
    expect(findColumns(['cpf', name], 'radar')).toMatchObject({ document: 0, name: 1 })
  },
)

test.each([
  'Data do documento',
  'CPF da mãe',
  'Documento fiscal',
  'CPF válido?',
  'Doc. Cliente',
  'Relatório de CPFs',
  'Status CPF',
])('gives %j no role, because it is not certain', (name) => {
  expect(() => findColumns([name, 'Cidade'], 'analysis')).toThrow(/no column of documents/)
})

test('takes the type and never the documents from "Tipo de documento"', () => {
  expect(findColumns(['Tipo de documento', 'Documento'], 'analysis')).toMatchObject({ type: 0, document: 1 })
  expect(findColumns(['Tipo pessoa', 'CPF/CNPJ'], 'analysis')).toMatchObject({ type: 0, document: 1 })
})

test('prefers the choice of a person to every name', () => {
  const header = ['CPF', 'Doc. Cliente', 'Nome', 'Apelido']
  const columns = findColumns(header, 'radar', { documento: 'doc cliente', nome: 'Apelido' })
  expect(columns).toMatchObject({ document: 1, name: 3, likely: undefined })
  expect(findColumns(['A', 'B'], 'analysis', { cpf: 'A', cnpj: 'B' })).toMatchObject({ document: 0, cnpj: 1 })
  expect(() => findColumns(header, 'radar', { documento: 'Documento X' })).toThrow(
    'no column is named "Documento X": the header has "CPF", "Doc. Cliente", "Nome", "Apelido"',
  )
})

test('says what to do if no column holds the documents', () => {
  expect(() => findColumns(['cliente', 'valor'], 'analysis')).toThrow(
    'the header has "cliente", "valor", but no column of documents "documento", "cpf", "cnpj" or "cpf_cnpj"',
  )
})

test('distinguishes a missing header from a missing column, without showing the row', () => {
  const read = () => findColumns(['123.456.789-09', 'José'], 'analysis')
  expect(read).toThrow(/the first line is no header: read it as a row with --no-header/)
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
])('a row in place of the header, %s and %s, is reported without its document', (...cells) => {
  expect(() => findColumns(cells, 'analysis')).toThrow(
    /^(the first line is no header|more than one column is named "\*\*\*")/,
  )
})
