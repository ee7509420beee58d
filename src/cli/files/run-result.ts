import type { Price } from '../../domain/amount.ts'
import { holdEnds } from '../../domain/hold-ends.ts'
import { maskDocuments } from '../../domain/mask-documents.ts'
import type { BatchStatus } from '../../views/batch-status.ts'
import { cureOf, holdLine, nextStep, stillOpen } from '../lines/batch.ts'
import { duration, number, outcomes, priced, renderFacts, rowsAndDocuments } from '../lines/texts.ts'
import { type FileOptions, flagNamed, kindOption } from '../options.ts'
import { type ReportFiles, renderFiles } from './local-file.ts'
import type { FileQuote } from './quote.ts'

/** The result of one file; scripts depend on these keys. */
export type RunResult = {
  file: string
  batch: number | null
  /** `done`, or why it is not: `held`, `paused`, `rejected`, `unconfirmed`, `declined`, `interrupted`. */
  ending: string
  repeated: boolean
  state: string | null
  rows: number
  /** Their documents: as many, unless each row is asked about several. */
  total: number
  states: Record<string, number>
  unanswered: number
  complete: boolean
  spend: BatchStatus['spend'] | null
  hold: BatchStatus['hold']
  problem: string | null
  next: string | null
  seconds: number | null
  files: ReportFiles | null
  /** The charged amount in money, if a price is known. */
  price: Price | null
  /** The quote of a file that was not processed because it lacked approval. */
  quote: FileQuote | null
}

type Outcome = Pick<RunResult, 'ending' | 'unanswered' | 'quote' | 'rows' | 'states'>

/**
 * 0: every row was answered or rejected; 3: some were not, or all were rejected; 1: a file could not be processed;
 * 2: approval is missing.
 */
export const exitCodeOf = (results: readonly Outcome[], signal: AbortSignal): number => {
  if (results.some(({ ending }) => ending === 'interrupted')) return signal.reason === 'SIGTERM' ? 143 : 130
  if (results.some((result) => result.ending === 'rejected' && !hasRejects(result))) return 1
  if (results.some(({ ending, quote }) => ending === 'unconfirmed' && quote)) return 2
  return results.every(({ ending, unanswered }) => ending === 'done' && unanswered === 0) ? 0 : 3
}

/** Its rows were rejected one by one; of a file that was rejected itself, none is counted. */
const hasRejects = ({ states }: Outcome): boolean => (states.rejected ?? 0) > 0

type Ended = {
  status: BatchStatus
  ending: string
  repeated: boolean
  files: ReportFiles | null
  command: string
  price: Price | null
}

export const resultOf = (file: string, { status, ending, repeated, files, command, price }: Ended): RunResult => {
  const { batch, state, rows, total, states, unanswered, open, spend, hold, problem, times } = status
  return {
    ...untaken({ file, rows }, ending, null),
    ...{ batch, repeated, state, total, spend, hold, problem, files, price },
    states: open > 0 ? { ...states, pending: open } : states,
    unanswered: unanswered + open,
    complete: times.finished !== null && open === 0,
    next: ending === 'held' || ending === 'interrupted' ? resumeStep(command, status) : nextStep(status),
    seconds: times.finished ? (Date.parse(times.finished) - Date.parse(times.submitted)) / 1_000 : null,
  }
}

/** The result of a file without a batch. */
export const untaken = (
  { file, rows }: Pick<FileQuote, 'file' | 'rows'>,
  ending: string,
  next: string | null,
): RunResult => ({
  file,
  batch: null,
  ending,
  repeated: false,
  state: null,
  rows,
  total: rows,
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

/** What to do once the cause is fixed: the same command resumes the batch. */
const resumeStep = (command: string, { hold }: BatchStatus): string => {
  const again = `\`${command}\` resumes where it stopped`
  if (!hold) return again
  const cure = cureOf(hold.cause, [hold.lane])
  if (cure) return `${cure}, then ${again}`
  return holdEnds[hold.cause].tried === 'next_day' ? `${again} with the next day's budget` : again
}

export const renderResult = (result: RunResult, timezone: string): string => {
  const { batch, file, ending, rows, total, states, spend, hold, files, seconds, repeated } = result
  const lines = renderFacts({
    File: maskDocuments(file),
    Batch:
      batch === null
        ? null
        : `${batch}${repeated ? ' (the same bytes were submitted before: nothing is bought twice)' : ''}`,
    Ended: ending === 'done' ? null : ending,
    Held: hold && ending === 'held' ? holdLine(hold, timezone) : null,
    Problem: result.problem,
    Rows: [rowsAndDocuments(rows, total), outcomes(states)].filter(Boolean).join(': '),
    Charged:
      spend &&
      `${priced(spend.charged, result.price)}${stillOpen(spend)}${spend.limit === null ? '' : ` of at most ${number(spend.limit)}`}`,
    Took: seconds === null || repeated ? null : duration(seconds),
    Partial: files && !result.complete ? 'open rows are shown as pending' : null,
    Next: result.next,
  })
  return files ? `${lines}\n${renderFiles(files)}` : lines
}

export type RunOptions = FileOptions & { out?: string }

/** The command that runs a file again with the same options, ready to be pasted into a shell. */
export const runCommand = (file: string, options: RunOptions): string => {
  const { kind, organization, maxSpend, out, encoding, format, language, withSpreadsheets, yes } = options
  const { column, sheet, headerLine, header, documentType, purpose } = options
  const report = { out, encoding, format, language, withSpreadsheets }
  const reading = { column, sheet, headerLine, noHeader: header === false, documentType }
  const known = { kind: kind === kindOption.default ? undefined : kind, organization, maxSpend }
  const flags = { ...known, ...report, ...reading, purpose, yes }
  const parts = Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? flagNamed(name) : [value].flat().flatMap((each) => [flagNamed(name), String(each)])
  })
  const [command, given] = options.content ? ['vigia lookup', '-'] : ['vigia run', file]
  return [command, ...[given, ...parts].map(shellQuote)].join(' ')
}

const shellQuote = (text: string): string =>
  /^[\p{L}\p{N}_./:=@%+,-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
