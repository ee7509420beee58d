import { affordable, type FileQuote } from './quote.ts'
import { type RunOptions, runCommand } from './run-command.ts'
import type { RunResult } from './run-result.ts'
import { counted } from './wording.ts'

/** The result of a file that would cost more than may be spent without a word. */
export function unconfirmed(quote: FileQuote, options: RunOptions): RunResult {
  const command = runCommand(quote.file, { ...options, yes: true })
  const next = `it would spend up to ${counted(affordable(quote), 'unit')}: \`${command}\` does, nothing was spent`
  return untaken(quote, 'unconfirmed', next)
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
  }
}
