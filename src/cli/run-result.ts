import type { BatchStatus } from '../batches/status.ts'
import { type ReportFiles, renderFiles } from './report-files.ts'
import { holdLine, nextStep } from './status-lines.ts'
import { counted, duration, facts, number, outcomes } from './wording.ts'

/** How one file came out; the keys are a promise to scripts. */
export type RunResult = {
  file: string
  batch: number | null
  /** `done`, or why it is not: `held`, `paused`, `rejected`, `unconfirmed`, `interrupted`. */
  ending: string
  repeated: boolean
  state: string | null
  rows: number
  states: Record<string, number>
  unanswered: number
  complete: boolean
  spend: BatchStatus['spend'] | null
  hold: BatchStatus['hold']
  problem: string | null
  next: string | null
  seconds: number | null
  files: ReportFiles | null
}

/** 0 when every row got an answer or a reject, 3 when some did not, 1 for a file that could not be taken. */
export function exitCodeOf(results: readonly RunResult[], signal: AbortSignal): number {
  if (results.some(({ ending }) => ending === 'interrupted')) return signal.reason === 'SIGTERM' ? 143 : 130
  if (results.some(({ ending }) => ending === 'rejected')) return 1
  return results.every(({ ending, unanswered }) => ending === 'done' && unanswered === 0) ? 0 : 3
}

export function resultOf(
  file: string,
  {
    status,
    ending,
    repeated,
    files,
    command,
  }: { status: BatchStatus; ending: string; repeated: boolean; files: ReportFiles | null; command: string },
): RunResult {
  const { batch, state, rows, states, unanswered, open, spend, hold, problem, times } = status
  const complete = times.finished !== null && open === 0
  const seconds = times.finished ? secondsBetween(times.submitted!, times.finished) : null
  const next = ending === 'held' || ending === 'interrupted' ? goOn(command, status) : nextStep(status)
  return {
    file,
    batch,
    ending,
    repeated,
    state,
    rows,
    states: open > 0 ? { ...states, pending: open } : states,
    unanswered: unanswered + open,
    complete,
    spend,
    hold,
    problem,
    next,
    seconds,
    files,
  }
}

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1_000

/** What a person does after something was mended: the same command finds where it was. */
function goOn(command: string, { hold }: BatchStatus): string {
  const again = `\`${command}\` goes on where it was`
  if (hold?.cause === 'operator') return `\`vigia lane resume ${hold.lane}\`, then ${again}`
  return hold?.needsPerson ? `mend the cause, then ${again}` : again
}

export function renderResult(result: RunResult, timezone: string): string {
  const { batch, file, ending, rows, states, spend, hold, files, seconds, repeated } = result
  const lines = facts([
    ['File', file],
    [
      'Batch',
      batch === null
        ? null
        : `${batch}${repeated ? ' (the same bytes were here before: nothing is bought twice)' : ''}`,
    ],
    ['Ended', ending === 'done' ? null : ending],
    ['Held', hold && ending === 'held' ? holdLine(hold, timezone) : null],
    ['Problem', result.problem],
    ['Rows', [counted(rows, 'row'), outcomes(states)].filter(Boolean).join(': ')],
    ['Charged', spend && `${number(spend.charged)}${spend.limit === null ? '' : ` of at most ${number(spend.limit)}`}`],
    ['Took', seconds === null || repeated ? null : duration(seconds)],
    ['Partial', files && !result.complete ? 'rows still open read pending' : null],
    ['Next', result.next],
  ])
  return files ? `${lines}\n${renderFiles(files)}` : lines
}
