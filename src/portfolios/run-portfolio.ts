import { storeFile } from '../batches/stored-file.ts'
import { plainName, submitStored } from '../batches/submit.ts'
import { csvOfRows } from '../batches/table-file.ts'
import type { Kind } from '../domain/kind.ts'
import { figureDifferences } from '../domain/portfolio.ts'
import { weigh } from '../domain/risk-change.ts'
import { type Coverage, coverageSentence } from '../domain/sweep.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import { writeChangesOf } from '../monitoring/changes-file.ts'
import { notifyNight } from '../monitoring/finish-radar-sweep.ts'
import type { MonitoringTools } from '../monitoring/monitoring-tools.ts'
import { totalsAtRisk } from '../monitoring/notify-people.ts'
import { judgeChanges, rulesInForce } from '../monitoring/rules.ts'
import { tryStep } from '../monitoring/sweep.ts'
import { sweepQueues } from '../queue/queues.ts'
import { enqueue } from '../queue/start-jobs.ts'
import { type Batch, readBatch } from '../store/batches/batches.ts'
import type { StoredFile } from '../store/batches/files.ts'
import { besideAnother, type Database, type Sql } from '../store/connect.ts'
import { streamDocuments } from '../store/portfolios/documents.ts'
import { lockPortfolio } from '../store/portfolios/portfolios.ts'
import {
  countChanged,
  countDifferences,
  countVerified,
  decideFirst,
  endRun,
  type PortfolioRun,
  type RunDocument,
  readRun,
  recordRunBatch,
  rememberRun,
  runsOfBatch,
  streamRun,
  takeRemoved,
  verifying,
} from '../store/portfolios/runs.ts'
import { insertChanges, type NewChange } from '../store/radars/rules-met.ts'
import { failSweep, finishSweep } from '../store/radars/sweeps.ts'

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
  const columns = kind === 'scr' ? 4 : 3
  const linesOf = (rows: string[][]): Buffer => Buffer.from(csvOfRows(rows.map((row) => row.slice(0, columns))))
  const cellsOf = (some: Line) => some.map(({ document, name, ref, consent }) => [document, name, ref, consent])
  yield linesOf([['documento', 'nome', 'ref', 'autorizacao'], ...cellsOf(first)])
  for await (const some of rest) yield linesOf(cellsOf(some))
}

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

/** What portfolio runs need; every job provides it. */
type RunTools = Pick<MonitoringTools, 'sql' | 'boss' | 'accounts' | 'clock' | 'home' | 'log' | 'settings'>

/**
 * Ends the run of a portfolio: differences from the run before, the rules that they met, the file of differences, and
 * one notification.
 *
 * Finding the differences and storing what is known now is one transaction, so repeating it finds nothing new and keeps
 * what was found. The notification is stored in the transaction that ends the run.
 */
export const finishRun = async (tools: RunTools, run: PortfolioRun, batch: Batch): Promise<void> => {
  const { sql, clock, settings, home, log } = tools
  const compared = await sql.begin(async (tx) => {
    // The list must not change until all of it is counted.
    await lockPortfolio(tx, run.portfolioId)
    const isFirst = await decideFirst(tx, run)
    // Another worker ended it since it was read. What a failed run stored as known would be missing from the next one.
    if (isFirst === null) return null
    await findDifferences(tx, run, { batchId: batch.id, isFirst, now: clock() })
    await judgeChanges(tx, await rulesInForce(tx, settings.rules), run.id)
    return { first: isFirst, ...(await readCoverage(tx, run, batch)) }
  })
  if (!compared) return
  const { first, ...counted } = compared
  const place = { folder: home.outbox, name: `differences-${plainName(run.name)}-${batch.id}.csv` }
  const file = await writeChangesOf(sql, run.id, { ...place, timezone: settings.timezone })
  const found = { ...counted, file }
  const { coverage, differences } = found
  const ended = await sql.begin(async (tx) => {
    // The portfolio is locked before its run, as above: another worker may have the same run.
    await lockPortfolio(tx, run.portfolioId)
    const now = clock()
    const { unverified } = coverage
    const detail = { portfolio: run.name, batch: Number(batch.id), first, unverified, differences, file }
    if (!(await finishSweep(tx, run.id, { state: 'done', ...coverage, detail, now }))) return false
    await endRun(tx, run.portfolioId, now)
    await notifyRun(tools, run, batch, found, tx)
    return true
  })
  if (ended) log.info({ portfolio: run.name, batch: String(batch.id), ...coverage }, coverageSentence(coverage))
}

/** The first run has nothing to compare with: it reports only the documents without an answer. */
const findDifferences = async (
  tx: Sql,
  run: PortfolioRun,
  { batchId, isFirst, now }: { batchId: bigint; isFirst: boolean; now: Date },
): Promise<void> => {
  const { id, portfolioId, organizationId } = run
  for await (const documents of streamRun(tx, run, batchId)) {
    const changes = documents.flatMap((document) =>
      differencesOf(document, isFirst).map((each) => ({ ...each, organizationId, document: document.document })),
    )
    await insertChanges(tx, id, changes, now)
  }
  await rememberRun(tx, run, batchId)
  const gone = await takeRemoved(tx, portfolioId)
  await insertChanges(
    tx,
    id,
    gone.map(({ document }) => ({ ...membership('removed'), organizationId, document })),
    now,
  )
}

type Found = Omit<NewChange, 'organizationId' | 'document'>

const differencesOf = ({ isFirst, outcome, known, now }: RunDocument, isFirstRun: boolean): Found[] => [
  ...(isFirst && !isFirstRun ? [membership('added')] : []),
  ...(verifying.includes(outcome)
    ? []
    : [{ field: 'answer', verdict: 'unchecked' as const, before: null, after: outcome, weight: weigh('unchecked') }]),
  ...(isFirstRun ? [] : figureDifferences(known, now)),
]

const membership = (verdict: 'added' | 'removed'): Found => ({
  field: 'portfolio',
  verdict,
  before: null,
  after: null,
  weight: weigh(verdict),
})

/** The number of documents per verdict. */
type DifferenceCounts = Record<string, number>

type Reason = { said: Message; reason: string; documents: number }

type RunFound = { coverage: Coverage; differences: DifferenceCounts; reasons: Reason[]; file: string }

/** A document that was removed or erased during the run is not verified: its answer was not compared. */
const readCoverage = async (
  sql: Sql,
  { id, kind, portfolioId }: PortfolioRun,
  batch: Batch,
): Promise<Omit<RunFound, 'file'>> => {
  const counted = await countDifferences(sql, id)
  const differences: DifferenceCounts = {}
  for (const { verdict, documents } of counted) differences[verdict] = (differences[verdict] ?? 0) + documents
  const due = batch.rows - batch.rejected
  const { verified, left, erased } = await countVerified(sql, portfolioId, batch.id)
  const reasons = [
    ...counted.flatMap(({ reason, documents }) =>
      reason === null ? [] : [reasonOf(['unverified', kind, reason], documents)],
    ),
    ...(left > 0 ? [reasonOf(['left_list'], left)] : []),
    ...(erased > 0 ? [reasonOf(['erased'], erased)] : []),
  ]
  const unverified = Object.fromEntries(reasons.map(({ reason, documents }) => [reason, documents]))
  const changed = await countChanged(sql, id)
  return { coverage: { due, verified, changed, unverified }, differences, reasons }
}

const reasonOf = (message: Message, documents: number): Reason => ({
  said: message,
  reason: inEnglish(message),
  documents,
})

const notifyRun = async (
  tools: RunTools,
  { id, name, startedAt }: PortfolioRun,
  batch: Batch,
  found: RunFound,
  tx: Sql,
): Promise<void> => {
  const { spent, kind } = batch
  const facts = { portfolio: name, batch: Number(batch.id), spent, kind, risk: await totalsAtRisk(tx, batch), ...found }
  const night = { id, name: 'portfolio' as const, slot: name, startedAt }
  await notifyNight(tools, night, { about: 'portfolio.finished', ...facts }, tx)
}
