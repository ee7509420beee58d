import { formatDocument, readDocument } from '../domain/document.ts'

/** Words from outside as they may be logged, stored and shown: they may quote the document asked for, or a token. */
export function plainWords(text: string): string {
  return withoutEscapes(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(token, hidden)
    .replace(cnpj, (found) => (isCnpj(found) ? hidden : found))
    .replace(cpf, hidden)
    .trim()
}

const hidden = '***'
const token = /\b(?:Bearer\s+\S+|eyJ[\w-]+\.[\w.-]*)/gi
const cnpj = /[0-9A-Z]{2}[. ]?[0-9A-Z]{3}[. ]?[0-9A-Z]{3}[/ ]?[0-9A-Z]{4}[- ]?\d{2}(?![0-9A-Z])/gi
const cpf = /\d{3}[. ]?\d{3}[. ]?\d{3}[- ]?\d{2}/g

/** Fourteen letters that end in two digits may be a word; digits alone, a mask or fitting check digits are a document. */
function isCnpj(found: string): boolean {
  const bare = found.replace(/[^0-9A-Z]/gi, '').toUpperCase()
  return /^\d+$/.test(bare) || found.toUpperCase() === formatDocument(bare) || 'document' in readDocument(bare, 'CNPJ')
}

/** `%2E` is a point in an address, `%252E` in an address within one, and `\/` a slash in JSON. */
const withoutEscapes = (text: string): string =>
  text
    .replace(/%(?:25)*([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+\//g, '/')
