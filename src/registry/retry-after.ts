/** How long the registry asks to wait: seconds or a date, never less than nothing. */
export function retryAfterMs(header: string | string[] | undefined, now: Date): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!text) return undefined
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), maxWaitMs)
}

/** What a person would still call a wait; a mistaken header must not stop a lane for years. */
const maxWaitMs = 24 * 3_600_000
