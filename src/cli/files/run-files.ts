import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { BatchRefusal, isStuck, readStatus } from '../../batches/batch-or-refuse.ts'
import { exportBatch, outboxFolder } from '../../batches/export.ts'
import { formatOf } from '../../batches/layout.ts'
import { confirmBatch } from '../../batches/pause-resume-cancel.ts'
import { limitBatch } from '../../batches/retry.ts'
import { submitFile } from '../../batches/submit.ts'
import { priceOf } from '../../domain/amount.ts'
import { isUnderWay } from '../../queue/boss-tables.ts'
import { exportQueue } from '../../queue/queues.ts'
import { readBatch } from '../../store/batches/batches.ts'
import { tryLaneSoon } from '../../store/fleet/lanes.ts'
import { type BatchStatus, willSpend } from '../../views/batch-status.ts'
import { type Running, startEngine } from '../../worker.ts'
import { type CommandContext, whoCalls } from '../command.ts'
import type { OpenInstallation } from '../open.ts'
import { createProgress, type Followed, follow, unlessStopped } from './follow.ts'
import { aboutFile, filesIn, localSubmission, type ReportFiles } from './local-file.ts'
import type { FileQuote } from './quote.ts'
import {
  type Agreement,
  agreedUnits,
  approvalForSpending,
  interrupted,
  isAgreed,
  quoteFiles,
  unconfirmed,
} from './quote-files.ts'
import { type RunOptions, type RunResult, resultOf, runCommand } from './run-result.ts'

type Run = { context: CommandContext; opened: OpenInstallation; options: RunOptions; approval: Agreement['approval'] }
type Taken = { batchId: bigint; repeated: boolean; quote: FileQuote }

/** Processes files from start to end in this process: quote, import, look up, export. */
export const runFiles = async (
  context: CommandContext,
  opened: OpenInstallation,
  paths: readonly string[],
  options: RunOptions,
): Promise<RunResult[]> => {
  const quotes = await quoteFiles(context, opened, paths, options)
  const answer = context.signal.aborted ? null : await approvalForSpending(context, quotes, options)
  if (context.signal.aborted) {
    return paths.map((file, i) => interrupted({ file, rows: quotes[i]?.rows ?? 0 }, options))
  }
  if (answer === 'no' || answer === 'unasked') return quotes.map((quote) => unconfirmed(quote, options, answer))
  return lookUp(
    { context, opened, options, approval: options.yes ? 'all' : answer === 'yes' ? 'quoted' : 'none' },
    quotes,
  )
}

/** A file whose batch has been exported already needs no engine: its report is written again at once. */
const lookUp = async (run: Run, quotes: readonly FileQuote[]): Promise<RunResult[]> => {
  const known = await Promise.all(quotes.map((quote) => exportedBatch(run, quote)))
  await using stack = new AsyncDisposableStack()
  const running = known.includes(null) ? stack.use(await startEngine(run.opened)) : null
  const taken: Taken[] = []
  for (const [i, quote] of quotes.entries()) {
    const batchId = known[i]
    const repeated = { batchId: batchId!, repeated: true, quote }
    const took = batchId ? repeated : await unlessStopped(run.context.signal, () => take(run, running!, quote))
    if (!took) break
    taken.push(took)
  }
  const followed = await settled(run, running, await followRun(run, running, taken))
  const results: RunResult[] = []
  for (const [i, { repeated, quote }] of taken.entries()) {
    const { file } = quote
    const files = await writeReport(run, followed[i]!)
    const { kind, spend } = followed[i]!.status
    const price = priceOf(run.opened.settings.budget.unitPrice, kind, spend.charged)
    results.push(resultOf(file, { ...followed[i]!, repeated, files, price, command: runCommand(file, run.options) }))
  }
  return [...results, ...quotes.slice(taken.length).map((quote) => interrupted(quote, run.options))]
}

/** After Ctrl-C the open calls finish first, so that the summary includes their cost. */
const settled = async (
  { context, opened }: Run,
  running: Running | null,
  followed: Followed[],
): Promise<Followed[]> => {
  if (!context.signal.aborted || !running) return followed
  context.stderr.write('Stopping: open calls finish first.\n')
  await running.stop()
  const reread = async ({ status, ending }: Followed) => ({
    status: await readStatus(opened.sql, BigInt(status.batch), new Date()),
    ending,
  })
  return Promise.all(followed.map(reread))
}

const exportedBatch = async ({ opened, options }: Run, { repeats }: FileQuote): Promise<bigint | null> => {
  const batch = repeats && (await readBatch(opened.sql, repeats.batch))
  const lacksSpreadsheets = options.withSpreadsheets && !batch?.spreadsheets
  return batch?.exportedAt && !lacksSpreadsheets ? batch.id : null
}

const take = async (run: Run, running: Running, quote: FileQuote): Promise<Taken> => {
  const { context, opened, options } = run
  const { sql } = opened
  const submission = {
    ...localSubmission(quote.file, opened, options, context.signal),
    confirmAbove: agreedUnits(agreementOn(run, quote)),
  }
  const { batchId, repeated } = await aboutFile(quote.file, () => submitFile(sql, running.tools.boss, submission))
  if (repeated && options.maxSpend !== undefined) await limitBatch(sql, batchId, submission)
  await tryLaneSoon(sql, { organizationId: BigInt(submission.organizationId), kind: submission.kind }, opened.clock())
  return { batchId, repeated, quote }
}

const agreementOn = ({ approval, options, opened }: Run, quote: FileQuote): Agreement => ({
  approval,
  quote,
  hasLimit: options.maxSpend !== undefined,
  confirmAbove: opened.settings.budget.confirmAbove,
})

const followRun = async (run: Run, running: Running | null, taken: readonly Taken[]): Promise<Followed[]> => {
  const { context, opened } = run
  const quotes = new Map(taken.map(({ batchId, quote }) => [Number(batchId), quote]))
  const expected = new Map(
    taken.map(({ batchId, quote }) => [Number(batchId), quote.rows * Math.max(1, quote.reads.documents.length)]),
  )
  const progress = createProgress(context, expected)
  const ended = (status: BatchStatus) => finalStateOf(run, running, status, quotes.get(status.batch)!)
  return follow(
    taken.map(({ batchId }) => batchId),
    { sql: opened.sql, signal: context.signal, progress, ended },
  )
}

/** How a batch has ended for this run; null while it is open. The run waits for a hold that may pass within minutes. */
const finalStateOf = async (
  run: Run,
  running: Running | null,
  status: BatchStatus,
  quote: FileQuote,
): Promise<string | null> => {
  const { state, times } = status
  if (state === 'rejected' && !times.imported) return 'rejected'
  if (times.finished) {
    const ending = state === 'rejected' ? 'rejected' : 'done'
    // An export may fail where the outbox cannot be written; the run then still writes its report to `--out`.
    const isExporting = () => isUnderWay(run.opened.sql, exportQueue.name, BigInt(status.batch))
    return times.exported || !(await isExporting()) ? ending : null
  }
  if (!times.imported) return null
  if (state === 'paused') return 'paused'
  if (state === 'unconfirmed') {
    return running && isAgreed(agreementOn(run, quote), status.spend) ? confirmed(run, running, status) : 'unconfirmed'
  }
  return (await isStuck(run.opened.sql, status)) ? 'held' : null
}

const confirmed = async ({ opened, approval }: Run, running: Running, status: BatchStatus): Promise<null> => {
  const { batch, kind } = status
  const deadlineMs = opened.settings.forKind[kind].polling.deadline
  const { finished } = running.engine
  const steering = { by: whoCalls(), now: opened.clock(), deadlineMs, finished }
  const atMost = approval === 'all' ? {} : { atMost: willSpend(status) }
  await confirmBatch(opened.sql, BigInt(batch), { ...steering, ...atMost }).catch(unlessRefused)
  return null
}

/** If the batch has come to cost more, or somebody else approved it, the next read decides again. */
const unlessRefused = (error: unknown): void => {
  if (!(error instanceof BatchRefusal)) throw error
}

/** Writes the files of a batch, complete or partial, unless the engine has already written them to the outbox. */
const writeReport = async ({ opened, options }: Run, { status, ending }: Followed): Promise<ReportFiles | null> => {
  if (ending === 'interrupted' || !status.times.imported) return null
  if (ending === 'unconfirmed' && !status.times.started) return null
  const { sql, home, settings } = opened
  const batch = (await readBatch(sql, BigInt(status.batch)))!
  const folder = options.out ? resolve(options.out) : outboxFolder(home, batch)
  const {
    encoding = batch.encoding,
    format = formatOf(batch),
    language = batch.language ?? settings.language,
  } = options
  const files = filesIn(folder, batch.name, format)
  const same =
    encoding === batch.encoding && format === formatOf(batch) && language === (batch.language ?? settings.language)
  const written = !options.out && batch.exportedAt && same && existsSync(files.manifest)
  const asked = { encoding, format, language }
  if (!written) await exportBatch(sql, batch.id, { folder, now: new Date(), settings, ...asked })
  return files
}
