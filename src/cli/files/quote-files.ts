import { FileProblem } from '../../files/file-problem.ts'
import { type Approval, askApproval, canAsk } from '../ask.ts'
import { CommandFailure, UsageError } from '../command.ts'
import { asCalled, type CommandContext } from '../context.ts'
import { costing } from '../lines/phrases.ts'
import type { OpenInstallation } from '../open.ts'
import { unlessStopped } from './follow.ts'
import { costsAnew, type FileQuote, priceAnew, quoteLocalFile, renderQuote } from './quote.ts'
import { type RunOptions, type RunResult, runCommand } from './run-result.ts'

/** Quotes every file before one is taken, so that whoever has several that are of no use hears of all of them at once. */
export const quoteFiles = async (
  context: CommandContext,
  opened: OpenInstallation,
  paths: readonly string[],
  options: RunOptions,
): Promise<FileQuote[]> => {
  const quoting = { joining: 1, signal: context.signal }
  const quotes: FileQuote[] = []
  const useless: (CommandFailure | UsageError)[] = []
  for (const path of paths) {
    const quote = await unlessStopped(context.signal, () => quoteLocalFile(opened, path, options, quoting)).catch(
      (error) => {
        if (!(error.cause instanceof FileProblem)) throw error
        useless.push(error)
      },
    )
    if (context.signal.aborted) break
    if (!quote) continue
    quotes.push(quote)
    if (!context.json) context.stderr.write(asCalled(`${renderQuote(quote)}\n\n`, context.env))
  }
  if (useless.length === 0) return quotes
  const others = quotes.length > 0 ? ['None of the files was taken: mend these, or leave them out'] : []
  const message = [...useless.map((problem) => problem.message), ...others].join('\n')
  throw useless.every((problem) => problem instanceof UsageError)
    ? new UsageError(message)
    : new CommandFailure(message)
}

/**
 * The word that spending needs, asked once for all the files; null where they spend nothing that was not agreed to.
 *
 * Where nobody can be asked a limit on the command line is word enough, up to `budget.confirmAbove`.
 */
export const approvalForSpending = async (
  context: CommandContext,
  quotes: readonly FileQuote[],
  { yes, maxSpend }: RunOptions,
): Promise<Approval | null> => {
  const costly = quotes.filter((quote) => costsAnew(quote) > 0)
  if (costly.length === 0) return yes ? 'yes' : null
  if (!canAsk(context) && maxSpend !== undefined && !costly.some(({ needsWord: needsApproval }) => needsApproval))
    return yes ? 'yes' : null
  return askApproval(context, `Spend up to ${totalOf(costly)}?`, yes)
}

const totalOf = (quotes: readonly FileQuote[]): string => {
  const units = quotes.reduce((sum, quote) => sum + costsAnew(quote), 0)
  const cents = quotes.reduce((sum, quote) => sum + (priceAnew(quote)?.cents ?? 0), 0)
  const { price } = quotes[0]!
  return costing(units, price && { ...price, cents })
}

/** The result of a file that would spend, where nobody agreed to it: nobody could be asked, or somebody said no. */
export const unconfirmed = (quote: FileQuote, options: RunOptions, approval: 'no' | 'unasked'): RunResult => {
  const command = runCommand(quote.file, { ...options, yes: true })
  const would =
    costsAnew(quote) > 0 ? `it would spend up to ${costing(costsAnew(quote), priceAnew(quote))}` : 'it was not taken'
  const next = `${would}: \`${command}\` does, nothing was spent`
  return { ...untaken(quote, approval === 'no' ? 'declined' : 'unconfirmed', next), quote }
}

/** The result of a file that nobody began with before the run was stopped. */
export const interrupted = (quote: Pick<FileQuote, 'file' | 'rows'>, options: RunOptions): RunResult => {
  const command = runCommand(quote.file, options)
  return untaken(quote, 'interrupted', `it was not taken and nothing was spent: \`${command}\` begins again`)
}

const untaken = ({ file, rows }: Pick<FileQuote, 'file' | 'rows'>, ending: string, next: string): RunResult => ({
  file,
  batch: null,
  ending,
  repeated: false,
  state: null,
  rows,
  states: {},
  unanswered: rows,
  complete: false,
  spend: null,
  hold: null,
  problem: null,
  next,
  seconds: null,
  files: null,
  price: null,
  quote: null,
})
