export type Pace = { ratePerSecond: number | null; etaSeconds: number | null }

const windowMs = 30_000

type Sample = { at: number; done: number }

/** Measures the rate and the time left by the progress of the last half minute. */
export const createMeter = () => {
  const samples: Sample[] = []
  return {
    /** Records the progress, and returns the pace since the oldest sample in the window. */
    record({ done, total, now }: { done: number; total: number; now: Date }): Pace {
      const at = now.getTime()
      const last = samples.at(-1)
      // A retry reopens rows, so earlier samples do not count for the pace from here.
      if (last && done < last.done) samples.length = 0
      samples.push({ at, done })
      while (samples.length > 2 && at - samples[0]!.at > windowMs) samples.shift()
      return paceSince(samples[0]!, { done, total, now })
    },
  }
}

/** The pace from a moment at which `done` was another number. */
export const paceSince = (since: Sample, { done, total, now }: { done: number; total: number; now: Date }): Pace => {
  const seconds = (now.getTime() - since.at) / 1_000
  const ratePerSecond = seconds > 0 && done > since.done ? (done - since.done) / seconds : null
  const etaSeconds = done >= total ? 0 : ratePerSecond ? Math.ceil((total - done) / ratePerSecond) : null
  return { ratePerSecond, etaSeconds }
}

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
