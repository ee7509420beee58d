import { isFreeForm, objectFrom, textFrom } from './loose.ts'

/**
 * What an object of the registry holds beyond the fields that have a place of their own; null if that is nothing.
 *
 * Empty values are not kept. What would make it larger than a page of text is named under `leftOut` instead.
 */
export const restOf = (sent: unknown, named: ReadonlySet<string>): Record<string, unknown> | null => {
  const rest: Record<string, unknown> = {}
  const leftOut: string[] = []
  let size = 0
  for (const [key, value] of Object.entries(objectFrom(sent) ?? {})) {
    if (named.has(key) || isEmpty(value)) continue
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
