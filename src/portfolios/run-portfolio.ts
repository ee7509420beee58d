import { stringify } from 'csv-stringify/sync'
import { storeFile } from '../batches/stored-file.ts'
import { submitStored } from '../batches/submit.ts'
import type { Kind } from '../domain/kind.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import { tryStep } from '../monitoring/sweep.ts'
import { sweepQueues } from '../queue/queues.ts'
import { enqueue } from '../queue/start-jobs.ts'
import { readBatch } from '../store/batches/batches.ts'
import type { StoredFile } from '../store/batches/files.ts'
import { besideAnother, type Database, type Sql } from '../store/connect.ts'
import { streamDocuments } from '../store/portfolios/documents.ts'
import { lockPortfolio } from '../store/portfolios/portfolios.ts'
import { endRun, type PortfolioRun, readRun, recordRunBatch, runsOfBatch } from '../store/portfolios/runs.ts'
import { failSweep } from '../store/radars/sweeps.ts'
import { finishRun, type RunTools } from './finish-run.ts'

/**
 * Advances the run of a portfolio: submits its batch or, once the report of that is written, ends the run with its
 * differences. In between it is not active; the end of the batch wakes it. Three failures in a row end it too.
 */
export const takeRunFurther = async (tools: RunTools, sweepId: bigint, signal?: AbortSignal): Promise<void> => {
  const run = await readRun(tools.sql, sweepId)
  if (!run) return
  const options = { giveUp: (why: Message) => giveUp(tools, run, why), signal }
  await tryStep(tools, sweepId, () => takeStep(tools, run), options)
}

/** An organization that was removed from the settings cannot be asked about. Answers that exist are reported. */
const takeStep = async (tools: RunTools, run: PortfolioRun): Promise<void> => {
  const { sql, accounts, settings } = tools
  const organizationId = Number(run.organizationId)
  const isGone = !accounts.some((account) => account.organizationId === organizationId)
  const purpose = run.purpose ?? settings.purpose.default
  const needsPurpose = purpose === null && settings.purpose.required
  if (!run.batchId && needsPurpose) return giveUp(tools, run, ['no_purpose'])
  const batchId = run.batchId ?? (isGone ? null : await submitRun(tools, run, purpose))
  if (batchId === 'ended') return
  const batch = batchId === null ? null : await readBatch(sql, batchId)
  if (batch?.state === 'rejected') return giveUp(tools, run, batch.message ?? ['run_rejected'])
  if (batch?.exportedAt) return finishRun(tools, run, batch)
  if (isGone) return giveUp(tools, run, ['organization_gone', organizationId])
  if (!batch) return giveUp(tools, run, batchId === null ? ['run_empty'] : ['run_batch_gone'])
}

/** Wakes the runs that wait for a batch, in the transaction that ended it. */
export const wakeRuns = async (boss: RunTools['boss'], tx: Sql, batchId: bigint): Promise<boolean> => {
  const runs = await runsOfBatch(tx, batchId)
  for (const { id } of runs) await enqueue(boss, sweepQueues.portfolio, { sweepId: String(id) }, tx)
  return runs.length > 0
}

/**
 * Submits an ordinary batch, within budget and freshness; null if the list is empty. The batch belongs to this run
 * alone: the same list may still be an open batch of an earlier run, whose answers are as old as that run.
 */
const submitRun = async (
  { sql, boss, settings }: RunTools,
  run: PortfolioRun,
  purpose: string | null,
): Promise<bigint | 'ended' | null> => {
  const { name, kind, organizationId, startedAt } = run
  const file = await besideAnother(sql, () => storeList(sql, run))
  if (!file) return null
  const submitted = submitStored(sql, boss, file, {
    fileName: `${name}.csv`,
    organizationId: Number(organizationId),
    kind,
    source: 'portfolio',
    by: `portfolio ${name}`,
    maxSpend: settings.budget.perBatch,
    confirmAbove: settings.budget.confirmAbove,
    encoding: 'utf8',
    spreadsheets: false,
    purpose,
    freshSince: startedAt,
    made: (tx, batchId) => recordRunBatch(tx, run.id, batchId),
  })
  const { batchId } = await submitted.catch(async (problem) => {
    // Another worker with the same run made its batch first, and may have ended the run since.
    const known = await readRun(sql, run.id)
    if (known?.batchId === null) throw problem
    return { batchId: known?.batchId ?? ('ended' as const) }
  })
  return batchId
}

const storeList = async (sql: Database, { portfolioId, kind }: PortfolioRun): Promise<StoredFile | null> => {
  const documents = streamDocuments(sql, portfolioId)
  try {
    const first = await documents.next()
    return first.done ? null : await storeFile(sql, listFile(kind, first.value, documents))
  } finally {
    await documents.return(undefined)
  }
}

type Lines = ReturnType<typeof streamDocuments>
type Line = Lines extends AsyncIterable<infer Some> ? Some : never

/** The same list gives the same bytes, so it is stored once however often it is asked about. */
async function* listFile(kind: Kind, first: Line, rest: Lines): AsyncGenerator<Buffer> {
  const authorized = kind === 'scr'
  const linesOf = (some: Line): Buffer =>
    csvOf(some.map(({ document, name, ref, consent }) => [document, name, ref, ...(authorized ? [consent] : [])]))
  yield csvOf([['documento', 'nome', 'ref', ...(authorized ? ['autorizacao'] : [])]])
  yield linesOf(first)
  for await (const some of rest) yield linesOf(some)
}

const csvOf = (rows: string[][]): Buffer =>
  Buffer.from(stringify(rows, { delimiter: ';', record_delimiter: 'windows' }))

/** The run cannot succeed, but the next one may: it is due at its usual time. */
const giveUp = async ({ sql, clock, log }: RunTools, run: PortfolioRun, why: Message): Promise<void> => {
  const now = clock()
  await sql.begin(async (tx) => {
    await lockPortfolio(tx, run.portfolioId)
    if (!(await failSweep(tx, run.id, { why, now, portfolio: run.name }))) return
    await endRun(tx, run.portfolioId, now)
  })
  log.warn({ portfolio: run.name, sweep: String(run.id), reason: inEnglish(why) }, 'portfolio run failed')
}
