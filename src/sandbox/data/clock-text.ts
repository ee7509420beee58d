const saoPauloOffsetMs = 3 * 3_600_000

/** ISO 8601 with zone. Many answers share a millisecond, and this text is the dearest part of a small one. */
export function isoDateTime(at: number): string {
  if (at !== latest.at) latest = { at, text: new Date(at).toISOString() }
  return latest.text
}

let latest = { at: Number.NaN, text: '' }

/** dd/mm/yyyy hh:mm:ss in São Paulo, which keeps UTC-3 all year. */
export function brazilianDateTime(at: number): string {
  const text = isoDateTime(at - saoPauloOffsetMs)
  return `${text.slice(8, 10)}/${text.slice(5, 7)}/${text.slice(0, 4)} ${text.slice(11, 19)}`
}

/** ISO 8601 style without a zone: local time of São Paulo. */
export const zonelessDateTime = (at: number): string => isoDateTime(at - saoPauloOffsetMs).slice(0, 19)
