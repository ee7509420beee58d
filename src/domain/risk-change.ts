import { formatCents } from './amount.ts'
import { type Classification, classifications, isRiskClass } from './classifications.ts'

/** The figures of a document; null if nobody asked, or if the registry sent nothing readable. */
export type RiskFigures = {
  processes: number | null
  counts: readonly (number | null)[] | null
  cents: readonly (bigint | null)[] | null
}

/** How a figure may have changed, in the order in which changes are shown. */
export const riskVerdicts = ['new', 'worse', 'better', 'cleared'] as const
export type RiskVerdict = (typeof riskVerdicts)[number]

/** The verdicts about a document on a radar, the worst first. */
export const radarVerdicts = [
  'new',
  'worse',
  'removed',
  'deactivated',
  'added',
  'reactivated',
  'renamed',
  'better',
  'cleared',
] as const
/** `unchecked`: a document of a portfolio that a run got no answer about. */
export type Verdict = (typeof radarVerdicts)[number] | 'unchecked'

/** One figure that changed. `weight` orders changes: the worst has the greatest. */
export type RiskChange = { field: string; verdict: RiskVerdict; before: string; after: string; weight: bigint }

/**
 * What changed between two snapshots of a document: its number of processes, and count and value of each classification.
 *
 * Only figures that both snapshots have are compared, so neither a first snapshot nor a gap is ever a change.
 */
export const riskChanges = (before: RiskFigures, after: RiskFigures): RiskChange[] => [
  ...figureChange('processes', toBigInt(before.processes), toBigInt(after.processes), processWeight),
  ...classifications.flatMap((key, i) => [
    ...figureChange(`${key}_count`, toBigInt(before.counts?.[i]), toBigInt(after.counts?.[i]), processWeight, key),
    ...figureChange(`${key}_value`, before.cents?.[i], after.cents?.[i], 1n, key, cents),
  ]),
]

/** One more process weighs as much as a thousand in money, in cents. */
const processWeight = 100_000n

const figureChange = (
  field: string,
  before: bigint | null | undefined,
  after: bigint | null | undefined,
  unitWeight: bigint,
  key?: Classification,
  write: (figure: bigint) => string = String,
): RiskChange[] => {
  if (before == null || after == null || before === after) return []
  const verdict = verdictOf(before, after)
  const size = (after > before ? after - before : before - after) * unitWeight
  return [
    {
      field,
      verdict,
      before: write(before),
      after: write(after),
      weight: weigh(verdict, size, key !== undefined && isRiskClass(key)),
    },
  ]
}

const verdictOf = (before: bigint, after: bigint): RiskVerdict => {
  if (after > before) return before === 0n ? 'new' : 'worse'
  return after === 0n ? 'cleared' : 'better'
}

/** Orders by verdict first, then by risk, then by size. */
export const weigh = (verdict: Verdict, size = 0n, risk = false): bigint =>
  rankOf(verdict) * 10n ** 16n + (risk ? 5n * 10n ** 15n : 0n) + (size < 10n ** 15n ? size : 10n ** 15n)

/** 9 for the worst, 0 for `unchecked`. */
const rankOf = (verdict: Verdict): bigint =>
  verdict === 'unchecked' ? 0n : BigInt(radarVerdicts.length - radarVerdicts.indexOf(verdict))

const toBigInt = (count: number | null | undefined): bigint | null => (count == null ? null : BigInt(count))

const cents = (figure: bigint): string => formatCents(figure, '.')
