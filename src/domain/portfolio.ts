import type { Kind } from './kind.ts'
import { maskDocuments } from './mask-documents.ts'
import { type RiskChange, type RiskFigures, riskChanges, type Verdict } from './risk-change.ts'

/** Kinds that may be asked repeatedly for a document. */
export const portfolioKinds = ['analysis', 'processes', 'cnh', 'scr'] as const satisfies readonly Kind[]
export type PortfolioKind = (typeof portfolioKinds)[number]

/**
 * The name is used in commands, addresses, file names and messages. A name that contains a document would show it
 * everywhere, and an address keeps no space at its end.
 */
export const isPortfolioName = (text: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}(?<! )$/u.test(text) && maskDocuments(text) === text

/** In less time nothing changes; a longer interval is forgotten. */
export const everyBounds = { leastMs: 3_600_000, mostMs: 400 * 86_400_000 }

/** How a figure differs from the previous run. One that was unknown then is added, and compared with nothing. */
type FigureDifference = Omit<RiskChange, 'verdict' | 'before'> & { verdict: Verdict; before: string | null }

/** What a run found different from the known figures. Applied to the known figures, it gives the new ones. */
export const figureDifferences = (known: RiskFigures, now: RiskFigures): FigureDifference[] => [
  ...riskChanges(known, now),
  ...riskChanges(nothingWhereUnknown(known, now), now).map((first) => ({
    ...first,
    verdict: 'added' as const,
    before: null,
    weight: 0n,
  })),
]

const nothingWhereUnknown = ({ processes, counts, cents }: RiskFigures, now: RiskFigures): RiskFigures => ({
  processes: processes === null ? 0 : null,
  counts: now.counts?.map((_, i) => (counts?.[i] == null ? 0 : null)) ?? null,
  cents: now.cents?.map((_, i) => (cents?.[i] == null ? 0n : null)) ?? null,
})

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
