const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

type Unit = keyof typeof units

/** Reads a setting such as `"250ms"`, `"30s"`, `"5m"`, `"24h"` or `"30d"` as milliseconds. */
export const parseDuration = (text: string): number => {
  const [, amount, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? []
  const milliseconds = Number(amount) * units[unit as Unit]
  if (Number.isSafeInteger(milliseconds)) return milliseconds
  throw new RangeError(
    `${JSON.stringify(text)} is no duration: write a whole number and its unit, such as "250ms", "30s", "5m", "24h" or "30d"`,
  )
}

/** The moment since which an answer counts as fresh, for the kind's setting. An older one is asked for again. */
export const freshSinceOf = ({ freshness }: { freshness: number }, now: Date): Date =>
  new Date(now.getTime() - freshness)
