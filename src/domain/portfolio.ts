import type { Kind } from './kind.ts'
import { maskDocuments } from './mask-documents.ts'
import { type RiskChange, type RiskFigures, riskChanges, type Verdict } from './risk-change.ts'

/** Kinds that may be asked repeatedly for a document. */
export const portfolioKinds = ['analysis', 'processes', 'cnh', 'scr'] as const satisfies readonly Kind[]
export type PortfolioKind = (typeof portfolioKinds)[number]

export const isPortfolioKind = (kind: string): kind is PortfolioKind =>
  (portfolioKinds as readonly string[]).includes(kind)

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
