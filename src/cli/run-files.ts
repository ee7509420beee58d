import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exportBatch } from '../batches/export.ts'
import { outboxFolder } from '../batches/outbox-folder.ts'
import { exportQueue } from '../batches/queues.ts'
import { setLimit } from '../batches/retry.ts'
import { type BatchStatus, isStuck } from '../batches/status.ts'
import { confirmBatch } from '../batches/steer.ts'
import { submitFile } from '../batches/submit.ts'
import { probeSoon } from '../store/batch-progress.ts'
import { readBatch } from '../store/batches.ts'
import { isUnderWay } from '../store/queue-depth.ts'
import { type Running, startEngine } from '../worker.ts'
import { ask, canAsk } from './ask.ts'
import type { FileOptions } from './batch-options.ts'
import { CommandFailure } from './command-failure.ts'
import { submissionOf } from './commands/submit.ts'
import type { CommandContext } from './context.ts'
import { type Followed, follow } from './follow.ts'
import { aboutFile } from './local-file.ts'
import type { Opened } from './open.ts'
import { createProgress } from './progress.ts'
import { affordable, type FileQuote, quoteLocalFile, renderQuote } from './quote.ts'
import { filesIn, type ReportFiles } from './report-files.ts'
import { runCommand } from './run-command.ts'
import { type RunResult, resultOf } from './run-result.ts'
import { whoCalls } from './who.ts'
import { counted } from './wording.ts'

export type RunOptions = FileOptions & { out?: string }

type Run = { context: CommandContext; opened: Opened; options: RunOptions; yes: boolean }
type Taken = { file: string; batchId: bigint; repeated: boolean; rows: number }

/** Takes files from start to end in this process: quote, import, look up, export. */
export async function runFiles(
  context: CommandContext,
  opened: Opened,
  paths: readonly string[],
  options: RunOptions,
): Promise<RunResult[]> {
  const quotes = await quoteAll(context, opened, paths, options)
  const yes = options.yes || (await agreed(context, quotes))
  if (context.signal.aborted) {
    return paths.map((file, i) => interrupted({ file, rows: quotes[i]?.rows ?? 0 }, options))
  }
  if (quotes.some(({ needsWord }) => needsWord) && !yes) return quotes.map((quote) => unconfirmed(quote, options))
  return lookUp({ context, opened, options, yes }, quotes)
}

/** Quotes every file before one is taken, so that whoever has several that are of no use hears of all of them at once. */
async function quoteAll(
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

/** Whoever stops a run before a file is taken has not submitted it. */
async function unlessStopped<T>(signal: AbortSignal, action: () => Promise<T>): Promise<T | null> {
  if (signal.aborted) return null
  return action().catch((error) => {
    if (signal.aborted) return null
    throw error
  })
}

/** Asks once for all the files that need a word; where nobody can be asked the answer is no. */
async function agreed(context: CommandContext, quotes: readonly FileQuote[]): Promise<boolean> {
  const costly = quotes.filter(({ needsWord }) => needsWord)
  if (costly.length === 0 || !canAsk(context)) return false
  const units = costly.reduce((sum, quote) => sum + affordable(quote), 0)
  return ask(context, `Spend up to ${counted(units, 'unit')}?`)
}

/** Bytes whose batch has been exported already need no engine: their report is written again at once. */
async function lookUp(run: Run, quotes: readonly FileQuote[]): Promise<RunResult[]> {
  const known = await Promise.all(quotes.map((quote) => exportedBatch(run, quote)))
  await using stack = new AsyncDisposableStack()
  const running = known.includes(null) ? stack.use(await startEngine(run.opened)) : null
  const taken: Taken[] = []
  for (const [i, { file, rows }] of quotes.entries()) {
    const batchId = known[i]
    const repeated = { file, batchId: batchId!, repeated: true, rows }
    const took = batchId ? repeated : await unlessStopped(run.context.signal, () => take(run, running!, file, rows))
    if (!took) break
    taken.push(took)
  }
  const followed = await followRun(run, running, taken)
  const results: RunResult[] = []
  for (const [i, { file, repeated }] of taken.entries()) {
    const files = await writeReport(run, followed[i]!)
    results.push(resultOf(file, { ...followed[i]!, repeated, files, command: runCommand(file, run.options) }))
  }
  return [...results, ...quotes.slice(taken.length).map((quote) => interrupted(quote, run.options))]
}

async function exportedBatch({ opened, options }: Run, { repeats }: FileQuote): Promise<bigint | null> {
  const batch = repeats && (await readBatch(opened.sql, repeats.batch))
  const lacksSpreadsheets = options.withSpreadsheets && !batch?.spreadsheets
  return batch?.exportedAt && !lacksSpreadsheets ? batch.id : null
}

async function take(
  { context, opened, options, yes }: Run,
  running: Running,
  file: string,
  rows: number,
): Promise<Taken> {
  const { sql } = opened
  const submission = submissionOf(file, opened, { ...options, yes }, context.signal)
  const { batchId, repeated } = await aboutFile(file, () => submitFile(sql, running.tools.boss, submission))
  if (repeated && options.maxSpend !== undefined) await setLimit(sql, batchId, submission.maxSpend)
  await probeSoon(sql, { organizationId: BigInt(submission.organizationId), kind: submission.kind }, new Date())
  return { file, batchId, repeated, rows }
}

async function followRun(run: Run, running: Running | null, taken: readonly Taken[]): Promise<Followed[]> {
  const { context, opened } = run
  const expected = new Map(taken.map(({ batchId, rows }) => [Number(batchId), rows]))
  const progress = createProgress(context, expected)
  const ended = (status: BatchStatus) => endingOf(run, running, status)
  return follow(
    taken.map(({ batchId }) => batchId),
    { sql: opened.sql, signal: context.signal, progress, ended },
  )
}

/** What passes by itself is waited for; what needs a person ends the run. */
async function endingOf(run: Run, running: Running | null, status: BatchStatus): Promise<string | null> {
  const { state, times } = status
  if (state === 'rejected') return 'rejected'
  if (times.finished) return times.exported || !(await isExporting(run, status)) ? 'done' : null
  if (!times.imported) return null
  if (state === 'paused') return 'paused'
  if (state === 'unconfirmed') return run.yes && running ? confirmed(run, running, status) : 'unconfirmed'
  return (await isStuck(run.opened.sql, status)) ? 'held' : null
}

/** Where the outbox cannot be written, whoever asked for another folder still gets the report. */
const isExporting = ({ opened }: Run, { batch }: BatchStatus): Promise<boolean> =>
  isUnderWay(opened.sql, exportQueue.name, BigInt(batch))

async function confirmed({ opened }: Run, running: Running, { batch, kind }: BatchStatus): Promise<null> {
  const deadlineMs = opened.settings.forKind[kind].polling.deadline
  const { finished } = running.engine
  await confirmBatch(opened.sql, BigInt(batch), { by: whoCalls(), now: new Date(), deadlineMs, finished })
  return null
}

/** The three files, whole or partial. What the engine has already put into the outbox is not written again. */
async function writeReport({ opened, options }: Run, { status, ending }: Followed): Promise<ReportFiles | null> {
  if (ending === 'rejected' || ending === 'interrupted' || ending === 'unconfirmed') return null
  const { sql, home, settings } = opened
  const batch = (await readBatch(sql, BigInt(status.batch)))!
  const folder = options.out ? resolve(options.out) : outboxFolder(home, batch)
  const files = filesIn(folder, batch.name)
  const { encoding = batch.encoding } = options
  const there = !options.out && batch.exportedAt && encoding === batch.encoding && (await exists(files.manifest))
  if (!there) await exportBatch(sql, batch.id, { folder, timezone: settings.timezone, now: new Date(), encoding })
  return files
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

function unconfirmed(quote: FileQuote, options: RunOptions): RunResult {
  const command = runCommand(quote.file, { ...options, yes: true })
  const next = `it would spend up to ${counted(affordable(quote), 'unit')}: \`${command}\` does, nothing was spent`
  return untaken(quote, 'unconfirmed', next)
}

function interrupted(quote: Pick<FileQuote, 'file' | 'rows'>, options: RunOptions): RunResult {
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
