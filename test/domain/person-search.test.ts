import { isValidCnpj } from '@brazilian-utils/brazilian-utils'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDocument, readDocument } from '../../src/domain/document.ts'
import { searchFor } from '../../src/domain/person-search.ts'
import { cnpjOf, cpfOf } from '../support/documents.ts'
import { runs } from '../support/runs.ts'
import { spellings } from '../support/spellings.ts'

const roots = fc.stringMatching(/^[0-9]{9}$/).filter((root) => !/^(\d)\1+$/.test(root))
const people = fc.oneof(
  roots.map(cpfOf),
  fc.stringMatching(/^000?[1-9][0-9]{5,6}$/).map((root) => cpfOf(root.padEnd(9, '7').slice(0, 9))),
  fc.stringMatching(/^[0-9A-Z]{8}$/).map((root) => cnpjOf(`${root}0001`)),
)

test('a person is found in every spelling, alone and inside a text, and is gone from it afterwards', () => {
  fc.assert(
    fc.property(people, fc.constantFrom('', 'ver ', 'CPF/CNPJ: ', '(', 'cliente;'), (document, before) => {
      const search = searchFor(document)
      for (const [name, written] of Object.entries(spellings(document))) {
        const text = `${before}${written}`
        expect(search.isIn(text), `${name}: ${text}`).toBe(true)
        expect(search.isIn(search.erase(text)), `${name}: ${text}`).toBe(false)
      }
    }),
    runs(40),
  )
})

test('no other person is found, in any spelling, and their text stays unchanged', () => {
  fc.assert(
    fc.property(people, people, fc.constantFrom('', 'ver '), (document, other, before) => {
      fc.pre(document.replace(/^0+/, '') !== other.replace(/^0+/, ''))
      const search = searchFor(document)
      for (const written of Object.values(spellings(other))) {
        expect(search.isIn(`${before}${written}`), written).toBe(false)
        expect(search.erase(`${before}${written}`)).toBe(`${before}${written}`)
      }
    }),
    runs(40),
  )
})

test('a CPF whose digits begin the CNPJ of a company is not that company', () => {
  const shared = Array.from({ length: 100_000 }, (_, i) => String(10_000_000 + i)).find(
    (root) => cpfOf(`${root}0`) === `${root}000`,
  )!
  const person = `${shared}000`
  const cnpj = cnpjOf(`${shared}0001`)
  expect(readDocument(person)).toMatchObject({ document: { type: 'CPF' } })
  expect(isValidCnpj(cnpj)).toBe(true)
  const search = searchFor(person)
  for (const text of [cnpj, formatDocument(cnpj), `ver ${cnpj}`, `${cnpj}.csv`, `cnpj${cnpj}`]) {
    expect(search.isIn(text), text).toBe(false)
    expect(search.erase(text)).toBe(text)
  }
  expect(search.erase(`${cnpj} e ${person}`)).toBe(`${cnpj} e erased`)
})

test('parts of other numbers are never a person', () => {
  const person = '20248260100'
  const search = searchFor(person)
  for (const text of [
    '0001234-56.2024.8.26.0100',
    '120248260100',
    '202482601001',
    'boleto 20248.260100',
    '2024 8 26, 0100',
  ]) {
    expect(search.isIn(text), text).toBe(false)
  }
  const short = searchFor('00000000191')
  expect(['191', 'R$ 191', 'ref 191', '0191'].filter((text) => short.isIn(text))).toEqual([])
  expect(['00000000191', '000.000.001-91', 'ver 00000000191'].filter((text) => !short.isIn(text))).toEqual([])
  const branch = searchFor(cnpjOf('000056780001'))
  expect(branch.isIn(formatDocument('12345678000195'))).toBe(false)
})

test('letters may stand beside a CPF, but not where they make it the CNPJ of somebody else', () => {
  const root = Array.from({ length: 26 ** 2 }, (_, i) => `X${letter(i)}${letter(Math.floor(i / 26))}`)
  const person = '52998224725'
  const cnpj = root.map((begin) => `${begin}${person}`).find((text) => 'document' in readDocument(text))!
  const search = searchFor(person)
  expect(search.isIn(`ver ${cnpj}`)).toBe(false)
  expect(search.isIn(`cpf${person}`)).toBe(true)
  expect(search.isIn(`${person}_ana.csv`)).toBe(true)
})

const letter = (n: number): string => String.fromCharCode(65 + (n % 26))
