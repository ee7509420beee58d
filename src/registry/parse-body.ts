/**
 * The JSON of a reply, or undefined where it is none.
 *
 * Three things that JSON.parse would let through are mended, on a slow path that few bodies need: integers above 2^53
 * keep their digits as text, NUL and lone surrogates go, because PostgreSQL stores neither.
 */
export function parseBody(text: string): unknown {
  try {
    return needsMending.test(text) ? JSON.parse(text, mend) : JSON.parse(text)
  } catch {
    return undefined
  }
}

const needsMending = /\d{16}|\\u(?:0000|d[89a-f])/i

function mend(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isRounded && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value
}
