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
