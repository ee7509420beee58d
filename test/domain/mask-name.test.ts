import { expect, test } from 'vitest'
import { maskName } from '../../src/domain/mask-documents.ts'
import { maskedPair, readableKey, readablePairs } from '../../src/domain/readable-pairs.ts'
import { toAnswerView } from '../../src/views/answer.ts'

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
