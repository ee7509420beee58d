import type { HoldCause } from './call-failure.ts'

/** First and longest pause before one call tries a held lane again. What only a person can mend is tried rarely. */
const pauses: Record<Exclude<HoldCause, 'budget' | 'operator'>, { firstMs: number; longestMs: number }> = {
  outage: { firstMs: 2_000, longestMs: 60_000 },
  token: { firstMs: 15_000, longestMs: 600_000 },
  plan: { firstMs: 60_000, longestMs: 3_600_000 },
  denied: { firstMs: 300_000, longestMs: 21_600_000 },
}

export const probeDelayMs = (cause: keyof typeof pauses, probes: number): number => {
  const { firstMs, longestMs } = pauses[cause]
  return Math.min(longestMs, firstMs * 2 ** Math.min(probes, 20))
}
