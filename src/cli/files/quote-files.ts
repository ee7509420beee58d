import { FileProblem } from '../../files/file-problem.ts'
import { type BatchStatus, willSpend } from '../../views/batch-status.ts'
import { type Approval, askApproval, canAsk } from '../ask.ts'
import { asCalled, type CommandContext, CommandFailure, UsageError } from '../command.ts'
import { costing } from '../lines/texts.ts'
import type { OpenInstallation } from '../open.ts'
import { unlessStopped } from './follow.ts'
import {
  affordable,
  costsAnew,
  type FileQuote,
  priceAnew,
  type QuotedCost,
  quoteLocalFile,
  renderQuote,
} from './quote.ts'
import { type RunOptions, type RunResult, runCommand, untaken } from './run-result.ts'

/** Quotes every file before the first is processed, so that all unusable files are reported at once. */
export const quoteFiles = async (
  context: CommandContext,
  opened: OpenInstallation,
  paths: readonly string[],
  options: RunOptions,
): Promise<FileQuote[]> => {
  const quoting = { joining: 1, signal: context.signal }
  const quotes: FileQuote[] = []
  const unusable: (CommandFailure | UsageError)[] = []
  for (const path of paths) {
    const quote = await unlessStopped(context.signal, () => quoteLocalFile(opened, path, options, quoting)).catch(
      (error) => {
        if (!(error.cause instanceof FileProblem)) throw error
        unusable.push(error)
      },
    )
    if (context.signal.aborted) break
    if (!quote) continue
    quotes.push(quote)
    if (!context.json) context.stderr.write(asCalled(`${renderQuote(quote)}\n\n`, context.env))
  }
  if (unusable.length === 0) return quotes
  const others = quotes.length > 0 ? ['None of the files was processed: fix these, or leave them out'] : []
  const message = [...unusable.map((problem) => problem.message), ...others].join('\n')
  throw unusable.every((problem) => problem instanceof UsageError)
    ? new UsageError(message)
    : new CommandFailure(message)
}

/**
 * The approval that spending needs, asked once for all files; null if they spend nothing that is not approved yet.
 *
 * If nobody can be asked, a limit on the command line is approval enough, up to `budget.confirmAbove`.
 */
export const approvalForSpending = async (
  context: CommandContext,
  quotes: readonly FileQuote[],
  { yes, maxSpend }: RunOptions,
): Promise<Approval | null> => {
  const costly = quotes.filter((quote) => costsAnew(quote) > 0)
  if (costly.length === 0) return yes ? 'yes' : null
  if (!canAsk(context) && maxSpend !== undefined && !costly.some(({ needsWord }) => needsWord))
    return yes ? 'yes' : null
  return askApproval(context, `Spend up to ${totalOf(costly)}?`, yes)
}

const totalOf = (quotes: readonly FileQuote[]): string => {
  const units = quotes.reduce((sum, quote) => sum + costsAnew(quote), 0)
  const cents = quotes.reduce((sum, quote) => sum + (priceAnew(quote)?.cents ?? 0), 0)
  const { price } = quotes[0]!
  return costing(units, price && { ...price, cents })
}

/** The result of a file that would spend without approval: nobody could be asked, or the answer was no. */
export const unconfirmed = (quote: FileQuote, options: RunOptions, approval: 'no' | 'unasked'): RunResult => {
  const command = runCommand(quote.file, { ...options, yes: true })
  const would =
    costsAnew(quote) > 0 ? `it would spend up to ${costing(costsAnew(quote), priceAnew(quote))}` : 'not processed'
  const next = `${would}; nothing was spent. To approve it: \`${command}\``
  return { ...untaken(quote, approval === 'no' ? 'declined' : 'unconfirmed', next), quote }
}

/** The result of a file that the run did not reach before it was stopped. */
export const interrupted = (quote: Pick<FileQuote, 'file' | 'rows'>, options: RunOptions): RunResult => {
  const command = runCommand(quote.file, options)
  return untaken(quote, 'interrupted', `it was not processed and nothing was spent: \`${command}\` starts again`)
}

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
