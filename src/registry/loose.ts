import { z } from 'zod'
import { type DocumentType, formatDocument, readDocument } from '../domain/document.ts'

/** A required identifier. It arrives as a number or as text; inside Vigia it is always text. */
export const identifier = z
  .custom((value) => identifierFrom(value) !== null)
  .transform((value) => identifierFrom(value)!)

export const identifierFrom = (value: unknown): string | null => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null
  const text = typeof value === 'string' ? value.trim() : ''
  return text.length > 0 && text.length <= 200 ? text : null
}

/** The readers below are for optional values: a value that is missing or of another type is null, never an error. */
export const textFrom = (value: unknown): string | null => {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** A count; null if the database could not hold it. */
export const integerFrom = (value: unknown): number | null => {
  if (typeof value === 'string' && !/^\s*-?\d+\s*$/.test(value)) return null
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : null
}

export const flagFrom = (value: unknown): boolean | null => {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return null
  const text = value.trim().toLowerCase()
  return text === 'true' ? true : text === 'false' ? false : null
}

export const objectFrom = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null

/** A status as it is stored and shown: one short token, whatever was sent. */
export const statusFrom = (value: unknown): string => {
  const text = textFrom(value) ?? '-'
  if (/^[A-Z_]{1,40}$/.test(text)) return text
  return (
    plainText(text)
      .replace(/[^\p{L}\p{N}_ .-]+/gu, ' ')
      .trim()
      .slice(0, 40) || '-'
  )
}

/**
 * A document as bare text. Zeros that it lost because it was sent as a number are restored.
 *
 * Null where it cannot be read for certain: masked, empty, too long, or short and without a type. Such a row proves
 * nothing about any document.
 */
export const documentFrom = (number: unknown, type?: unknown): string | null => {
  const text = textFrom(number)?.trim().toUpperCase() ?? ''
  if (!/^[0-9A-Z][0-9A-Z./ -]*$/.test(text)) return null
  const bare = text.replace(/[./ -]/g, '')
  const length = lengthOf(documentTypeFrom(type), bare.length)
  return length === null || bare.length > length ? null : bare.padStart(length, '0')
}

/**
 * Whether a value names another document than this one. Masks, case, lost zeros and starred-out characters make no
 * difference. A text without a digit names none.
 */
export const isOtherDocument = (value: unknown, number: string): boolean => {
  const bare = (textFrom(value) ?? '').toUpperCase().replace(/[^0-9A-Z*]/g, '')
  if (!/[1-9]/.test(bare)) return false
  if (bare.includes('*'))
    return bare.length === number.length && [...bare].some((one, at) => one !== '*' && one !== number[at])
  return bare.replace(/^0+/, '') !== number.replace(/^0+/, '')
}

const lengthOf = (type: DocumentType | null, length: number): number | null => {
  if (type) return type === 'CPF' ? 11 : 14
  return length === 11 || length === 14 ? length : null
}

const documentTypeFrom = (value: unknown): DocumentType | null => {
  const text = textFrom(value)?.trim().toUpperCase()
  return text === 'CPF' || text === 'CNPJ' ? text : null
}

/** JSON that is kept as it came, but never so deep that serializing it would overflow the stack. */
const isFreeForm = (value: unknown): value is object => typeof value === 'object' && value !== null && isShallow(value)

export const freeForm = z.custom<object>(isFreeForm)

const maxDepth = 64

const isShallow = (root: object): boolean => {
  let level: object[] = [root]
  for (let depth = 0; depth < maxDepth; depth++) {
    level = level.flatMap((value) =>
      Object.values(value).filter((child) => typeof child === 'object' && child !== null),
    )
    if (level.length === 0) return true
  }
  return false
}

/** Text from outside as it may be logged, stored and shown: it may quote the document asked for, or a token. */
export const plainText = (text: string): string =>
  withoutEscapes(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(token, hidden)
    .replace(cnpj, (found) => (isCnpj(found) ? hidden : found))
    .replace(cpf, hidden)
    .trim()

const hidden = '***'
const token = /\b(?:Bearer\s+\S+|eyJ[\w-]+\.[\w.-]*)/gi
const cnpj = /[0-9A-Z]{2}[. ]?[0-9A-Z]{3}[. ]?[0-9A-Z]{3}[/ ]?[0-9A-Z]{4}[- ]?\d{2}(?![0-9A-Z])/gi
const cpf = /\d{3}[. ]?\d{3}[. ]?\d{3}[- ]?\d{2}/g

/** Fourteen letters that end in two digits may be prose. Digits alone, a mask or valid check digits are a document. */
const isCnpj = (found: string): boolean => {
  const bare = found.replace(/[^0-9A-Z]/gi, '').toUpperCase()
  return /^\d+$/.test(bare) || found.toUpperCase() === formatDocument(bare) || 'document' in readDocument(bare, 'CNPJ')
}

/** `%2E` is a dot in an address, `%252E` in an address within one, and `\/` a slash in JSON. */
const withoutEscapes = (text: string): string =>
  text
    .replace(/%(?:25)*([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+\//g, '/')

/** Names of fields, for `restOf`. */
export const fieldSet = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/))

/**
 * What an object of the registry holds beyond the fields that have a place of their own; null if that is nothing.
 *
 * Empty values are not kept. What would make it larger than a page of text is named under `leftOut` instead.
 */
export const restOf = (sent: unknown, named: ReadonlySet<string>): Record<string, unknown> | null => {
  const rest: Record<string, unknown> = {}
  const leftOut: string[] = []
  let size = 0
  const fields = objectFrom(sent) ?? {}
  for (const key of Object.keys(fields)) {
    if (named.has(key)) continue
    const value = fields[key]
    if (isEmpty(value)) continue
    const length =
      typeof value === 'object' && !isFreeForm(value) ? Infinity : JSON.stringify(value).length + key.length
    if (size + length > mostCharacters) {
      if (leftOut.length < mostNames) leftOut.push(key.slice(0, 100))
      continue
    }
    size += length
    rest[key] = value
  }
  if (leftOut.length > 0) rest.leftOut = leftOut
  return Object.keys(rest).length > 0 ? rest : null
}

/** Fields of an envelope and of the object in it. */
export const joinedRest = (...parts: (Record<string, unknown> | null)[]): Record<string, unknown> | null => {
  const joined = Object.assign({}, ...parts.filter((part) => part !== null))
  return Object.keys(joined).length > 0 ? joined : null
}

const mostCharacters = 8_000
const mostNames = 50

const isEmpty = (value: unknown): boolean => {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A text as it is stored in a column of its own: bounded, and null where nothing was sent. */
export const keptText = (value: unknown, most = 500): string | null => {
  const text = textFrom(value)?.trim() ?? ''
  return text === '' ? null : text.slice(0, most).toWellFormed()
}

/** Each is one line. */
export const keptTerms = (value: unknown): string[] => {
  const terms = Array.isArray(value) ? value : []
  return terms.flatMap((each) => keptText(textFrom(each)?.replace(/\s+/g, ' '), 200) ?? []).slice(0, 100)
}

/** The identifier of an earlier purchase; zero is none. */
export const earlierId = (value: unknown): string | null => {
  const id = keptText(value, 100)
  return id === null || /^0+$/.test(id) ? null : id
}
