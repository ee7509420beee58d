/** The limits, in seconds, by which the durations of calls are counted: from 10 ms to almost two minutes. */
export const latencyLimits = [...Array(28).keys()].map((step) => 0.01 * 2 ** (step / 2))

/** The place of a duration in such counts; the last one has no limit. */
export const latencyPlace = (seconds: number): number => {
  const place = latencyLimits.findIndex((limit) => seconds <= limit)
  return place < 0 ? latencyLimits.length - 1 : place
}

/** Within how many seconds this share of the calls was answered; null if there were none. */
export const latencyOf = (counts: readonly number[], share: number): number | null => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let reached = 0
  const place = counts.findIndex((count) => {
    reached += count
    return reached >= total * share
  })
  return latencyLimits[place]!
}
