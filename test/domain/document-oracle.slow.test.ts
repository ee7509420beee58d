import { isCNPJ, isCPF } from 'validation-br'
import { expect, test } from 'vitest'
import { readDocument } from '../../src/domain/document.ts'

test('agrees with validation-br about a million documents, correct, mistyped and with letters', () => {
  const random = generator(20_260_701)
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
  const random = generator(7)
  for (let i = 0; i < 20_000; i++) {
    const number = cpf(random, 1 + Math.floor(random() * 7)).replace(/^0+/, '')
    if (number.length < 3) continue
    expect(readDocument(number)).toMatchObject({ refused: 'ambiguous' })
    expect(readDocument(number, 'CPF')).toMatchObject({ document: { type: 'CPF' }, repairs: ['zeros'] })
    expect(readDocument(number, 'CNPJ')).toMatchObject({ document: { type: 'CNPJ' }, repairs: ['zeros'] })
  }
})

test('restores the zeros that a spreadsheet took from any CPF or CNPJ', () => {
  const random = generator(11)
  for (let i = 0; i < 20_000; i++) {
    const number = i % 2 ? cpf(random, 8) : cnpj(random, false, 11)
    const type = i % 2 ? 'CPF' : 'CNPJ'
    const snapshot = readDocument(number.replace(/^0+/, ''), type)
    expect(snapshot).toEqual({ document: { type, number }, repairs: number.startsWith('0') ? ['zeros'] : [] })
  }
})

/** Every seventh document gets a wrong character, like a typing error. */
const damage = (turn: number, number: string, random: () => number): string => {
  if (turn % 7) return number
  const at = Math.floor(random() * number.length)
  return number.slice(0, at) + Math.floor(random() * 10) + number.slice(at + 1)
}

const cpf = (random: () => number, significant = 9): string => {
  const base = draw(random, significant, '0123456789').padStart(9, '0')
  const first = checkDigit(base, 10, 11)
  return base + first + checkDigit(base + first, 11, 11)
}

const cnpj = (random: () => number, letters: boolean, significant = 12): string => {
  const alphabet = letters ? '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ' : '0123456789'
  const base = draw(random, significant, alphabet).padStart(12, '0')
  const first = checkDigit(base, 5, 9)
  return base + first + checkDigit(base + first, 6, 9)
}

/** Weights fall from `start` to 2 and begin again at `top`; a letter weighs its ASCII code less 48. */
const checkDigit = (base: string, start: number, top: number): number => {
  let sum = 0
  let weight = start
  for (const character of base) {
    sum += (character.charCodeAt(0) - 48) * weight
    weight = weight === 2 ? top : weight - 1
  }
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}

const draw = (random: () => number, length: number, alphabet: string) =>
  Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')

/** mulberry32: the same documents at every run. */
const generator = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
