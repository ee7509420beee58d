/**
 * An identifier as the integer that the wire wants, digit by digit.
 *
 * Identifiers are int64 there and text here: above 2^53 a JavaScript number would name another analysis.
 */
export function wireInteger(id: string): unknown {
  if (!/^-?(0|[1-9]\d*)$/.test(id)) return id
  const number = Number(id)
  return Number.isSafeInteger(number) ? number : json.rawJSON(id)
}

const json = JSON as typeof JSON & { rawJSON(text: string): unknown }
