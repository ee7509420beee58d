/** The future runs of a portfolio: when the first one is, how many there are, and how many of them share one purchase. */
export type RunsAhead = { firstAt: Date; count: number; everyMs: number; buysEach: number }

/**
 * The runs between now and a moment. An answer that is bought serves every run while it is fresh, so a document is paid for
 * in each `buysEach`-th run.
 */
export const runsAhead = (
  { dueAt, everyMs, isPaused }: { dueAt: Date | null; everyMs: number; isPaused: boolean },
  { now, until, freshnessMs }: { now: Date; until: Date; freshnessMs: number },
): RunsAhead => {
  const firstAt = dueAt && dueAt > now ? dueAt : new Date(now.getTime() + (dueAt ? 0 : everyMs))
  const rest = until.getTime() - firstAt.getTime()
  const count = isPaused || rest <= 0 ? 0 : Math.ceil(rest / everyMs)
  return { firstAt, count, everyMs, buysEach: Math.max(1, Math.ceil(freshnessMs / everyMs)) }
}
