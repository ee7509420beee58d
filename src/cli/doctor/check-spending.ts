import type { Settings } from '../../../config/settings.ts'
import { formatPrice } from '../../domain/price.ts'
import { counted, number } from '../wording.ts'
import { type Finding, fine } from './finding.ts'

/** What may be spent without a word: nothing is wrong with either choice, and everyone should know which was made. */
export const checkSpending = ({ budget }: Settings): Finding[] => [
  fine('spending', [waiting(budget), limits(budget), prices(budget)].filter(Boolean).join('\n')),
]

function waiting({ confirmAbove }: Settings['budget']): string {
  if (confirmAbove === null) {
    return 'files in the inbox and from `vigia submit` spend at once (budget.confirmAbove would make large ones wait)'
  }
  const above = counted(confirmAbove, 'paid call')
  return `files in the inbox and from \`vigia submit\` wait for \`vigia confirm\` above ${above} (budget.confirmAbove)`
}

function limits({ perDay, perBatch }: Settings['budget']): string {
  const day = perDay === null ? 'no limit per day' : `at most ${number(perDay)} a day`
  const batch = perBatch === null ? 'none per batch' : `${number(perBatch)} per batch`
  return `${day}, ${batch} (budget.perDay, budget.perBatch)`
}

function prices({ unitPrice }: Settings['budget']): string | null {
  const known = Object.entries(unitPrice ?? {}).map(([kind, price]) => `${kind} ${formatPrice(price, 'en')}`)
  return known.length > 0 ? `a paid call costs: ${known.join(', ')} (budget.unitPrice)` : null
}
