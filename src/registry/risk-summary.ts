import { parseAmount } from '../domain/amount.ts'
import { classifications, type RiskSummary } from '../domain/classifications.ts'
import { integerFrom, objectFrom, textFrom } from './loose.ts'

/** The totals per classification in our own order; a classification that is not in the interface is kept apart. */
export function riskSummaryFrom(wire: Record<string, unknown>): RiskSummary {
  const entries = classifications.map((key) => entryFrom(wire[key]))
  const others = Object.entries(wire).filter(([key]) => !known.has(key))
  return {
    counts: entries.map(({ count }) => count),
    amounts: entries.map(({ amount }) => amount),
    cents: entries.map(({ amount }) => (amount === null ? null : parseAmount(amount))),
    others: Object.fromEntries(others.map(([key, value]) => [key, entryFrom(value)])),
  }
}

const known: ReadonlySet<string> = new Set(classifications)

function entryFrom(value: unknown): { count: number | null; amount: string | null } {
  const entry = objectFrom(value)
  return { count: integerFrom(entry?.totalProcess), amount: textFrom(entry?.vltotalProcess) }
}
