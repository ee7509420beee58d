import { objectFrom, textFrom } from './loose.ts'
import { plainWords } from './plain-words.ts'

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

const clean = (text: unknown): string => plainWords(String(text)).slice(0, 200)
