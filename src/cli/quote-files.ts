import { ask, canAsk } from './ask.ts'
import { CommandFailure } from './command-failure.ts'
import type { CommandContext } from './context.ts'
import type { Opened } from './open.ts'
import { affordable, type FileQuote, quoteLocalFile, renderQuote } from './quote.ts'
import type { RunOptions } from './run-command.ts'
import { unlessStopped } from './unless-stopped.ts'
import { counted } from './wording.ts'

/** Quotes every file before one is taken, so that whoever has several that are of no use hears of all of them at once. */
export async function quoteFiles(
  context: CommandContext,
  opened: Opened,
  paths: readonly string[],
  options: RunOptions,
): Promise<FileQuote[]> {
  const quoting = { joining: 1, signal: context.signal }
  const quotes: FileQuote[] = []
  const useless: string[] = []
  for (const path of paths) {
    const quote = await unlessStopped(context.signal, () => quoteLocalFile(opened, path, options, quoting)).catch(
      (error) => {
        if (!(error instanceof CommandFailure)) throw error
        useless.push(error.message)
      },
    )
    if (context.signal.aborted) break
    if (!quote) continue
    quotes.push(quote)
    if (!context.json) context.stderr.write(`${renderQuote(quote)}\n\n`)
  }
  if (useless.length === 0) return quotes
  const others = quotes.length > 0 ? ['None of the files was taken: mend these, or leave them out'] : []
  throw new CommandFailure([...useless, ...others].join('\n'))
}

/** Asks once for all the files that need a word; where nobody can be asked the answer is no. */
export async function agreed(context: CommandContext, quotes: readonly FileQuote[]): Promise<boolean> {
  const costly = quotes.filter(({ needsWord }) => needsWord)
  if (costly.length === 0 || !canAsk(context)) return false
  const units = costly.reduce((sum, quote) => sum + affordable(quote), 0)
  return ask(context, `Spend up to ${counted(units, 'unit')}?`)
}
