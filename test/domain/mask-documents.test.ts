import { expect, test } from 'vitest'
import { maskCell, maskName } from '../../src/domain/mask-documents.ts'
import { maskedPair, readableKey, readablePairs } from '../../src/domain/readable-pairs.ts'
import { toAnswerView } from '../../src/views/answer.ts'

test.each([
  ['529.982.247-25', '***.982.247-**'],
  ['52998224725', '***.982.247-**'],
  ['529.982.247-2', '***.982.24*-*'],
  ['529_982_247_26', '***_982_247_**'],
  ['123', '123'],
  ['não informado', 'não informado'],
])('%s is shown as %s', (cell, shown) => {
  expect(maskCell(cell)).toBe(shown)
})

/** Nine digits of a CPF determine the other two. */
test.each([
  'Filial 001 - 529.982.247-25',
  '529.982.247-25, 111.444.777-35',
  '529.982.247-25 ou 52998224725',
  'Pedido 123 do CPF 529.982.247-25 em 2024',
  'Filial 001 - 529.982.247-26x',
  '111.444.777-3 e 529.982.247-2',
  '529 . 982 . 247 - 25 / 111 . 444 . 777 - 35',
])('no document can be read from %s', (cell) => {
  const shown = maskCell(cell).replaceAll(/[^\d*]/g, '')
  for (const number of ['529982247', '111444777']) expect(shown).not.toContain(number)
  expect(maskCell(cell)).not.toMatch(/529.?982.?247|111.?444.?777/)
})

test.each([
  ['Maria da Conceição', 'Ma*** da Con***'],
  ['Ana Lima', 'A*** Li***'],
  ['  Açaí do João Ltda ', 'Aç*** do Jo*** Lt***'],
  ['', ''],
])('the name %s is shown as %s', (name, shown) => {
  expect(maskName(name)).toBe(shown)
})

test('free-form answers are read as names and values, with names and documents masked', () => {
  const data = {
    nome: 'Maria Lima',
    endereco: { cidade: 'Olinda', cep: 1 },
    categorias: ['A', 'B'],
    cpf: '529.982.247-25',
    nada: null,
  }
  const pairs = readablePairs(data).map(maskedPair)
  expect(pairs).toEqual([
    { path: ['nome'], value: 'Ma*** Li***' },
    { path: ['endereco', 'cidade'], value: 'Olinda' },
    { path: ['endereco', 'cep'], value: 1 },
    { path: ['categorias'], value: 'A, B' },
    { path: ['cpf'], value: '***.982.247-**' },
    { path: ['nada'], value: null },
  ])
  expect(['dataNascimento', 'data_nascimento', 'uf'].map(readableKey)).toEqual([
    'data nascimento',
    'data nascimento',
    'uf',
  ])
})

test('an answer is masked, unless it is shown to the person that it is about', () => {
  const fields = {
    name: null,
    estimated: null,
    previousId: null,
    protestStatus: null,
    debtorStatus: null,
    plan: null,
    protestId: null,
  }
  const stored = { bucket: null, folder: null, fileName: null, partial: null, terms: null, rest: null }
  const figures = { counts: null, cents: null, amounts: null, total: null }
  const row = { ...figures, ...fields, ...stored, data: { nome: 'Maria da Conceição' } }
  expect(toAnswerView(row, 'cnh').facts.map(({ value }) => value)).not.toContain('Maria da Conceição')
  expect(toAnswerView(row, 'cnh', true).facts.map(({ value }) => value)).toEqual(['Maria da Conceição'])
})
