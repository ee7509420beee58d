import fc from 'fast-check'
import { formatDocument } from '../../src/domain/document.ts'
import { cnpjOf, cpfOf } from '../support/documents.ts'

const digits = '0123456789'

const textOf = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc
    .string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length })
    .filter((base) => new Set(base).size > 1)

export const cpf = textOf(digits, 9).map(cpfOf)

export const cnpj = textOf(digits, 12).map(cnpjOf)

/** As issued since July 2026. */
export const letterCnpj = textOf(`${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ`, 12)
  .filter((base) => /[A-Z]/.test(base) && /\d/.test(base))
  .map(cnpjOf)

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
