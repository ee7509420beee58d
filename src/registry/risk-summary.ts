import { parseAmount } from '../domain/amount.ts'
import { classifications, type RiskSummary } from '../domain/classifications.ts'
import { integerFrom, objectFrom, textFrom } from './loose.ts'

/** The totals per classification in our own order; a classification that is not in the interface is kept apart. */
export function riskSummaryFrom(wire: Record<string, unknown>): RiskSummary {
  const summary: RiskSummary = { counts: [], amounts: [], cents: [], others: {} }
  for (const key of classifications) {
    const { count, amount } = entryFrom(wire[key])
    summary.counts.push(count)
    summary.amounts.push(textFrom(amount))
    summary.cents.push(typeof amount === 'string' || typeof amount === 'number' ? parseAmount(amount) : null)
  }
  const others = Object.keys(wire).filter((key) => !known.has(key))
  if (others.length > 0) summary.others = Object.fromEntries(others.map((key) => [key, otherFrom(wire[key])]))
  return summary
}

const known: ReadonlySet<string> = new Set(classifications)

/** The amount as it came: 1.234 is one and a bit as a number, and a thousand and more as text. */
function entryFrom(value: unknown): { count: number | null; amount: unknown } {
  const entry = objectFrom(value)
  return { count: integerFrom(entry?.totalProcess), amount: entry?.vltotalProcess }
}

function otherFrom(value: unknown): { count: number | null; amount: string | null } {
  const { count, amount } = entryFrom(value)
  return { count, amount: textFrom(amount) }
}
