import { type PurposeTerms, plainName } from '../batches/submit.ts'
import { figureDifferences } from '../domain/portfolio.ts'
import { weigh } from '../domain/risk-change.ts'
import { type Coverage, coverageSentence } from '../domain/sweep.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import { writeChangesOf } from '../monitoring/changes-file.ts'
import { notifyNight, worstOf } from '../monitoring/finish-radar-sweep.ts'
import { judgeChanges } from '../monitoring/judge-changes.ts'
import { rulesInForce } from '../monitoring/keep-rules.ts'
import type { MonitoringTools } from '../monitoring/monitoring-tools.ts'
import { totalsAtRisk } from '../monitoring/notify-batches.ts'
import type { Batch } from '../store/batches/batches.ts'
import type { Sql } from '../store/connect.ts'
import { lockPortfolio } from '../store/portfolios/portfolios.ts'
import {
  countChanged,
  countDifferences,
  countVerified,
  decideFirst,
  endRun,
  type PortfolioRun,
  type RunDocument,
  rememberRun,
  streamRun,
  takeRemoved,
  verifying,
} from '../store/portfolios/runs.ts'
import { countNotified, insertChanges, type NewChange } from '../store/radars/rules-met.ts'
import { finishSweep } from '../store/radars/sweeps.ts'

/** What portfolio runs need; every job provides it. */
export type RunTools = Pick<MonitoringTools, 'sql' | 'boss' | 'accounts' | 'clock' | 'home' | 'log'> & {
  settings: Pick<MonitoringTools['settings'], 'timezone' | 'rules' | 'alerts'> & {
    budget: { perBatch: number | null; confirmAbove: number | null }
    purpose: PurposeTerms
  }
}

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
  run: PortfolioRun,
  batch: Batch,
  { coverage, differences, reasons, file }: RunFound,
  tx: Sql,
): Promise<void> => {
  const body = {
    sweep: { id: Number(run.id), name: 'portfolio', slot: run.name, startedAt: run.startedAt.toISOString() },
    portfolio: run.name,
    batch: Number(batch.id),
    spent: batch.spent,
    kind: batch.kind,
    risk: await totalsAtRisk(tx, batch),
    ...coverage,
    says: coverageSentence(coverage),
    differences,
    file,
    reasons,
    told: await countNotified(tx, run.id),
    worst: await worstOf(tx, run.id),
  }
  await notifyNight(tools, { id: run.id, about: 'portfolio.finished' }, body, tx)
}
