import { affordable, type FileQuote, spendsAnew } from './quote.ts'
import { type RunOptions, runCommand } from './run-command.ts'
import type { RunResult } from './run-result.ts'
import { costing } from './wording.ts'

/** The result of a file that would spend, where nobody agreed to it: nobody could be asked, or somebody said no. */
export function unconfirmed(quote: FileQuote, options: RunOptions, word: 'no' | 'unasked'): RunResult {
  const command = runCommand(quote.file, { ...options, yes: true })
  const would = spendsAnew(quote)
    ? `it would spend up to ${costing(affordable(quote), quote.price)}`
    : 'it was not taken'
  const next = `${would}: \`${command}\` does, nothing was spent`
  return { ...untaken(quote, word === 'no' ? 'declined' : 'unconfirmed', next), quote }
}

/** The result of a file that nobody began with before the run was stopped. */
export function interrupted(quote: Pick<FileQuote, 'file' | 'rows'>, options: RunOptions): RunResult {
  const command = runCommand(quote.file, options)
  return untaken(quote, 'interrupted', `it was not taken and nothing was spent: \`${command}\` begins again`)
}

function untaken({ file, rows }: Pick<FileQuote, 'file' | 'rows'>, ending: string, next: string): RunResult {
  return {
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
  }
}
