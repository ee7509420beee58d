import { type BatchStatus, willSpend } from '../../views/batch-status.ts'
import { affordable, costsAnew, type QuotedCost } from './quote.ts'

/**
 * What a run may spend on a file: `--yes` approves everything, an answer to the question approves the figure in it. If
 * nothing was asked, a limit on the command line is an approval up to `budget.confirmAbove`.
 */
export type Agreement = {
  approval: 'all' | 'quoted' | 'none'
  quote: QuotedCost
  /** Whether the command line named a limit; the quote says which. */
  hasLimit: boolean
  confirmAbove: number | null
}

/**
 * The number of units above which the batch needs another approval; null: none. Without a limit, no more is approved than
 * the settings allow or the quote showed.
 */
export const agreedUnits = ({ approval, quote, hasLimit, confirmAbove }: Agreement): number | null => {
  if (approval === 'all') return null
  if (approval === 'none' && hasLimit) return confirmAbove
  return Math.max(confirmAbove ?? 0, costsAnew(quote))
}

/** Whether what a waiting batch would spend now is approved: in total, since an approval covers its amount once. */
export const isAgreed = (
  { approval, quote, hasLimit, confirmAbove }: Agreement,
  spend: BatchStatus['spend'],
): boolean => {
  const most = willSpend({ spend })
  if (approval === 'all' || most <= spend.charged + spend.open) return true
  if (approval === 'quoted') return costsAnew(quote) > 0 && most - (quote.repeats?.spent ?? 0) <= affordable(quote)
  return hasLimit && most <= (confirmAbove ?? most)
}
