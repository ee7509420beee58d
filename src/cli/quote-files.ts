import { FileProblem } from '../csv/file-problem.ts'
import { asCalled } from './as-called.ts'
import { canAsk, type Word, wordOn } from './ask.ts'
import { CommandFailure } from './command-failure.ts'
import type { CommandContext } from './context.ts'
import type { Opened } from './open.ts'
import { affordable, type FileQuote, quoteLocalFile, renderQuote, spendsAnew } from './quote.ts'
import type { RunOptions } from './run-command.ts'
import { unlessStopped } from './unless-stopped.ts'
import { UsageError } from './usage-error.ts'
import { costing } from './wording.ts'

/** Quotes every file before one is taken, so that whoever has several that are of no use hears of all of them at once. */
export async function quoteFiles(
  context: CommandContext,
  opened: Opened,
  paths: readonly string[],
  options: RunOptions,
): Promise<FileQuote[]> {
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
export async function wordForSpending(
  context: CommandContext,
  quotes: readonly FileQuote[],
  { yes, maxSpend }: RunOptions,
): Promise<Word | null> {
  const costly = quotes.filter(spendsAnew)
  if (costly.length === 0) return yes ? 'yes' : null
  if (!canAsk(context) && maxSpend !== undefined && !costly.some(({ needsWord }) => needsWord))
    return yes ? 'yes' : null
  return wordOn(context, `Spend up to ${totalOf(costly)}?`, yes)
}

function totalOf(quotes: readonly FileQuote[]): string {
  const units = quotes.reduce((sum, quote) => sum + affordable(quote), 0)
  const cents = quotes.reduce((sum, { price }) => sum + (price?.cents ?? 0), 0)
  const { price } = quotes[0]!
  return costing(units, price && { ...price, cents })
}
