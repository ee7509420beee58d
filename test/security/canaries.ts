import { formatDocument } from '../../src/domain/document.ts'
import { cpfs } from '../support/documents.ts'

/** People and companies that exist nowhere else, so that any text that shows one of them has leaked it. */
export const people = cpfs(6, 31_337)
/** With digits only, and with letters, as issued since July 2026. */
export const companies = ['11444777000161', '12ABC34501DE35', 'B7K2M9P4000169']
export const documents = [...people, ...companies]

/** The ways in which a registry, a person or a program may write a document into a text. */
export const spellings: ((document: string) => string)[] = [
  (document) => document,
  formatDocument,
  (document) => encodeURIComponent(formatDocument(document)).replaceAll('.', '%2E').replaceAll('-', '%2D'),
  (document) => formatDocument(document).replace(/[./-]/g, ' '),
  (document) => JSON.stringify(formatDocument(document)).replaceAll('/', '\\/'),
  (document) => formatDocument(document).toLowerCase(),
]

export type Canaries = { documents: readonly string[]; secrets: readonly string[] }

/** Which canaries a text shows, whatever stands between their letters and however they are encoded. */
export const leakedBy = (text: string, { documents, secrets }: Canaries): string[] => {
  const plain = decoded(text)
  const bare = plain.replace(/[.\-/\\\s]/g, '').toUpperCase()
  return [
    ...documents.filter((document) => bare.includes(document)),
    ...secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form) || plain.includes(form))),
  ]
}

/** Decodes the escapes of an address, also escaped ones. */
const decoded = (text: string): string => {
  const once = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return once === text ? text : decoded(once)
}

const formsOf = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('base64').replaceAll('=', ''),
  Buffer.from(secret).toString('hex'),
]
