import { isCNPJ, isCPF } from 'validation-br'
import { expect, test } from 'vitest'
import { readDocument } from '../../src/domain/document.ts'
import { type Draw, draws, oneOf } from '../../src/sandbox/data/hash.ts'
import { cnpjOf, cpfOf } from '../support/documents.ts'

test('agrees with validation-br about a million documents, correct, mistyped and with letters', () => {
  const random = draws(20_260_701)
  const disagreements: string[] = []
  let accepted = 0
  for (let i = 0; i < 1_000_000; i++) {
    const number = damage(i, i % 2 ? cpf(random) : cnpj(random, i % 4 === 0), random)
    const valid = i % 2 ? isCPF(number) : isCNPJ(number)
    const snapshot = readDocument(number)
    const taken = 'document' in snapshot && snapshot.document.number === number && snapshot.repairs.length === 0
    if (taken !== valid) disagreements.push(number)
    if (taken) accepted++
  }
  expect(disagreements).toEqual([])
  expect(accepted).toBeGreaterThan(800_000)
})

test('fits a CPF and a CNPJ alike to every number of up to nine digits, so that only a type can decide', () => {
  const random = draws(7)
  for (let i = 0; i < 20_000; i++) {
    const number = cpf(random, 1 + Math.floor(random() * 7)).replace(/^0+/, '')
    if (number.length < 3) continue
    expect(readDocument(number)).toMatchObject({ refused: 'ambiguous' })
    expect(readDocument(number, 'CPF')).toMatchObject({ document: { type: 'CPF' }, repairs: ['zeros'] })
    expect(readDocument(number, 'CNPJ')).toMatchObject({ document: { type: 'CNPJ' }, repairs: ['zeros'] })
  }
})

test('restores the zeros that a spreadsheet took from any CPF or CNPJ', () => {
  const random = draws(11)
  for (let i = 0; i < 20_000; i++) {
    const number = i % 2 ? cpf(random, 8) : cnpj(random, false, 11)
    const type = i % 2 ? 'CPF' : 'CNPJ'
    const snapshot = readDocument(number.replace(/^0+/, ''), type)
    expect(snapshot).toEqual({ document: { type, number }, repairs: number.startsWith('0') ? ['zeros'] : [] })
  }
})

/** Every seventh document gets a wrong character, like a typing error. */
const damage = (turn: number, number: string, random: Draw): string => {
  if (turn % 7) return number
  const at = Math.floor(random() * number.length)
  return number.slice(0, at) + Math.floor(random() * 10) + number.slice(at + 1)
}

const cpf = (random: Draw, significant = 9): string => cpfOf(drawn(random, significant, digits).padStart(9, '0'))

const cnpj = (random: Draw, hasLetters: boolean, significant = 12): string =>
  cnpjOf(drawn(random, significant, hasLetters ? digitsAndLetters : digits).padStart(12, '0'))

const digits = [...'0123456789']
const digitsAndLetters = [...digits, ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

const drawn = (random: Draw, length: number, alphabet: string[]): string =>
  Array.from({ length }, () => oneOf(random, alphabet)).join('')
