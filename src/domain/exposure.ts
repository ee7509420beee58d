import { type Classification, classifications, isRiskClass, type RiskLevel } from './classifications.ts'

type Figures = { counts: readonly (number | null)[] | null; cents: readonly (bigint | null)[] | null }

/** What an analysis says of a document at a glance. `level` is null if figures of risk are missing and none is above zero. */
export type Exposure = { level: RiskLevel | null; lawsuits: number; protests: number; cents: bigint | null }

/**
 * Risk classes overlap in a way that the registry does not document, so they are not added up: the largest of them is
 * what is certain. SQL has the same rule for a batch, in `src/store/batches/risk.ts`.
 */
export const exposureOf = ({ counts, cents }: Figures): Exposure => {
  const count = (key: Classification) => counts?.[classifications.indexOf(key)] ?? null
  const found = riskClasses.map(count)
  const protests = count('RISK_PROTEST') ?? 0
  const all = count('ALL')
  const known = found.filter((each) => each !== null)
  if (known.some((each) => each > 0)) {
    return { level: 'risk', lawsuits: largestOf(lawsuitClasses.map(count)), protests, cents: largestCents(cents) }
  }
  const isComplete = known.length === found.length && all !== null
  return { level: isComplete ? (all > 0 ? 'lawsuits' : 'clear') : null, lawsuits: all ?? 0, protests, cents: null }
}

const riskClasses = classifications.filter(isRiskClass)
const lawsuitClasses = riskClasses.filter((key) => key !== 'RISK_PROTEST')

const largestOf = (counts: (number | null)[]): number => Math.max(0, ...counts.map((each) => each ?? 0))

const largestCents = (cents: Figures['cents']): bigint | null =>
  riskClasses.reduce<bigint | null>((largest, key) => {
    const each = cents?.[classifications.indexOf(key)] ?? null
    return each !== null && (largest === null || each > largest) ? each : largest
  }, null)

/** How much each class counts in a ranking; a missing class does not count. */
export type Weights = Partial<Record<Classification, number>>

/** What threatens a lender: being sued, and being enforced against, at risk. */
export const defaultWeights: Weights = { ISDEFENDANT_WITH_RISK: 1, EXECUTION_WITH_RISK: 1 }

/** One class of a ranked document: its figures and its weight. */
export type Addend = { key: Classification; weight: number; count: number | null; cents: bigint | null }

/**
 * The parts of a ranked document's score, so that every figure can be explained. Classes overlap in a way that the registry
 * does not document: the sum is only good for ordering.
 */
export const addendsOf = ({ counts, cents }: Figures, weights: Weights): Addend[] =>
  classifications.flatMap((key, i) => {
    const weight = weights[key] ?? 0
    return weight > 0 ? [{ key, weight, count: counts?.[i] ?? null, cents: cents?.[i] ?? null }] : []
  })

/** The sum of amounts that ranks a document; null if the registry sent none of them. */
export const scoreOf = (addends: readonly Addend[]): bigint | null =>
  addends.every(({ cents }) => cents === null)
    ? null
    : addends.reduce((sum, { weight, cents }) => sum + (cents ?? 0n) * BigInt(weight), 0n)
