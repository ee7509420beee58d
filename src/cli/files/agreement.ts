import { type BatchStatus, willSpend } from '../../views/batch-status.ts'
import { affordable, costsAnew, type QuotedCost } from './quote.ts'

/**
 * What somebody let a run spend on a file: `--yes` is a word for all that it takes, the answer to a question one for the
 * figure in it; where nothing was asked, a limit on the command line is one up to `budget.confirmAbove`.
 */
export type Agreement = {
  approval: 'all' | 'quoted' | 'none'
  quote: QuotedCost
  /** Whether the command line named a limit; the quote says which. */
  hasLimit: boolean
  confirmAbove: number | null
}

/**
 * Above so many units the batch waits for another word; null: never. Without a limit nobody agreed to more than the settings
 * allow or was quoted.
 */
export const agreedUnits = ({ approval, quote, hasLimit, confirmAbove }: Agreement): number | null => {
  if (approval === 'all') return null
  if (approval === 'none' && hasLimit) return confirmAbove
  return Math.max(confirmAbove ?? 0, costsAnew(quote))
}

/** Whether what a batch that waits would spend by now is what was agreed to: in all, since a word is not worth twice. */
export const isAgreed = (
  { approval, quote, hasLimit, confirmAbove }: Agreement,
  spend: BatchStatus['spend'],
): boolean => {
  const most = willSpend({ spend })
  if (approval === 'all' || most <= spend.charged + spend.open) return true
  if (approval === 'quoted') return costsAnew(quote) > 0 && most - (quote.repeats?.spent ?? 0) <= affordable(quote)
  return hasLimit && most <= (confirmAbove ?? most)
}
