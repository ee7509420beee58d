/**
 * The JSON of a reply, or undefined where it is none.
 *
 * Three things that JSON.parse would let through are mended, on a slow path that few bodies need: integers above 2^53
 * keep their digits as text, NUL and lone surrogates go, because PostgreSQL stores neither.
 */
export function parseBody(text: string): unknown {
  try {
    return needsMending(text) ? JSON.parse(text, mend) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Cheap on the bodies that need nothing, which are nearly all of them. */
const needsMending = (text: string) => longId.test(text) || (text.includes('\\u') && badCharacter.test(text))

const longId = /id"\s*:\s*\d{16}/i
const badCharacter = /\\u(?:0000|d[89a-f])/i

function mend(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isRounded && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value
}
