import { maskDocuments, maskName } from './mask-documents.ts'

/** One fact of an answer whose keys the interface does not show: its path and its value. */
export type Pair = { path: string[]; value: string | number | boolean | null }

/** Lists free-form JSON as names and values, in its own order; a list of plain values is one text. */
export const readablePairs = (data: unknown, path: string[] = []): Pair[] => {
  if (Array.isArray(data)) {
    if (data.every(isPlain)) return [{ path, value: data.map((each) => each ?? '').join(', ') }]
    return data.flatMap((each, at) => readablePairs(each, [...path, String(at + 1)])).slice(0, mostPairs)
  }
  if (data !== null && typeof data === 'object') {
    return Object.entries(data)
      .flatMap(([key, value]) => readablePairs(value, [...path, key]))
      .slice(0, mostPairs)
  }
  return [{ path, value: isPlain(data) ? data : null }]
}

const mostPairs = 300

const isPlain = (value: unknown): value is Pair['value'] =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** The same with names and documents masked, because the registry repeats them in its answers. */
export const maskedPair = ({ path, value }: Pair): Pair => {
  if (typeof value !== 'string') return { path, value }
  const named = /nome|name|m[aã]e|pai|mother|father/i.test(path.at(-1) ?? '')
  return { path, value: named ? maskName(maskDocuments(value)) : maskDocuments(value) }
}

/** `dataNascimento` and `data_nascimento` are read as `data nascimento`. */
export const readableKey = (key: string): string =>
  key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_.\s]+/g, ' ')
    .trim()
    .toLowerCase()
