import fc from 'fast-check'
import { formatDocument } from '../../src/domain/document.ts'

const digits = '0123456789'
const letters = `${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ`

/** Valid CPFs, computed here by the rule itself so that the test does not depend on the code under test. */
export const cpf = textOf(digits, 9)
  .filter((base) => new Set(base).size > 1)
  .map((base) => complete(base, (length) => Array.from({ length }, (_, index) => length + 1 - index)))

/** Valid CNPJs of digits only. */
export const cnpj = textOf(digits, 12)
  .filter((base) => new Set(base).size > 1)
  .map((base) => complete(base, cnpjWeights))

/** Valid CNPJs with letters, as issued since July 2026. */
export const letterCnpj = textOf(letters, 12)
  .filter((base) => /[A-Z]/.test(base) && /\d/.test(base))
  .map((base) => complete(base, cnpjWeights))

/** One spelling of a document that people and programs use. */
export const written = (document: fc.Arbitrary<string>) =>
  fc
    .tuple(document, fc.constantFrom('bare', 'formatted', 'lower', 'spaced', 'partly', 'encoded', 'twice', 'digits'))
    .map(([number, way]) => ({ number, text: ways[way as keyof typeof ways](number) }))

const ways = {
  bare: (number: string) => number,
  formatted: formatDocument,
  lower: (number: string) => formatDocument(number).toLowerCase(),
  spaced: (number: string) => formatDocument(number).replace(/[./-]/g, ' '),
  partly: (number: string) => formatDocument(number).replaceAll('.', ''),
  encoded: (number: string) => encodeURIComponent(formatDocument(number)),
  twice: (number: string) => encodeURIComponent(encodeURIComponent(formatDocument(number))),
  digits: (number: string) => [...number].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
}

function textOf(alphabet: string, length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length })
}

const complete = (base: string, weights: (length: number) => number[]): string => {
  const first = base + checkDigit(base, weights(base.length))
  return first + checkDigit(first, weights(first.length))
}

const checkDigit = (text: string, weights: number[]): number => {
  const sum = [...text].reduce((total, letter, index) => total + (letter.charCodeAt(0) - 48) * (weights[index] ?? 0), 0)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}

const cnpjWeights = (length: number): number[] => Array.from({ length }, (_, index) => ((length - 1 - index) % 8) + 2)
