import { objectFrom, textFrom } from './loose.ts'

/** The name that a reply gives to its error, such as `InternalServerError`; empty where it gives none. */
export function errorName(body: unknown): string {
  const { error, type, status } = objectFrom(body) ?? {}
  return clean([error, type, status].find((name) => typeof name === 'string' && /^[A-Za-z_]+$/.test(name)) ?? '')
}

/** Why the registry refused, in its own words: safe to log, store and show. */
export function reasonOf(body: unknown): string {
  const { reason, message } = objectFrom(body) ?? {}
  const words = clean(textFrom(reason) || textFrom(message) || '')
  return [errorName(body), words].filter(Boolean).join(': ') || 'without a reason'
}

/** Free text from outside may quote the document that was asked for, or a token. */
function clean(text: unknown): string {
  return String(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(jwt, '***')
    .replace(cnpj, '***')
    .replace(cpf, '***')
    .trim()
    .slice(0, 200)
}

const jwt = /\b(?:Bearer\s+\S+|eyJ[\w-]+\.[\w.-]*)/gi
const cnpj = /[0-9A-Z]{2}[. ]?[0-9A-Z]{3}[. ]?[0-9A-Z]{3}[/ ]?[0-9A-Z]{4}[- ]?\d{2}(?![0-9A-Z])/gi
const cpf = /\d{3}[. ]?\d{3}[. ]?\d{3}[- ]?\d{2}/g
