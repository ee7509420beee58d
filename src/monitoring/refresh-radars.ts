import { localDay } from '../domain/calendar.ts'
import type { Kind } from '../domain/kind.ts'
import { analysesSince, followsFigures, movedFigure } from '../domain/sweep.ts'
import { insertSweepBatch } from '../store/batches/batches.ts'
import { assignPayers } from '../store/batches/payers.ts'
import type { Sql } from '../store/connect.ts'
import { askLookups } from '../store/lookups/ask-lookups.ts'
import { recordMoved, uncomparedDocuments } from '../store/radars/free-figures.ts'
import { type DueDocument, recordAsked, unansweredDocuments, unaskedDocuments } from '../store/radars/snapshots.ts'
import {
  listOrganizations,
  lockOrganization,
  recordBatch,
  type SweepOrganization,
} from '../store/radars/sweep-organizations.ts'
import type { Sweep } from '../store/radars/sweeps.ts'
import type { MonitoringTools } from './monitoring-tools.ts'

const chunkSize = 2_000

type Asker = { tools: MonitoringTools; sweep: Sweep; organizationId: bigint }

/**
 * Asks the ordinary look-up engine about each active radar of an organization, so the same limits, budgets and holds
 * apply as to any batch. A chunk is one transaction: the next worker asks what a killed one did not.
 */
export const refreshRadars = (asker: Asker): Promise<number> =>
  inChunks(asker, (tx) => unaskedDocuments(tx, asker.sweep.id, asker.organizationId, chunkSize))

/** Asks once more about radars without an answer. A purchase is inherited, never made again. */
export const retryRadars = (asker: Asker, again: { mostTries: number; endedBefore: Date }): Promise<number> =>
  inChunks(asker, (tx) => unansweredDocuments(tx, asker.sweep.id, asker.organizationId, { ...again, limit: chunkSize }))

/**
 * Buys a new analysis of each radar whose free figures moved since the last one. Each radar is compared once a night, as
 * soon as its figures are read.
 */
export const followMoved = async (asker: Asker): Promise<void> => {
  const { tools, sweep, organizationId } = asker
  if (!followsFigures(tools.settings.radarSweep)) return
  let asks = false
  for (let compared = chunkSize; compared === chunkSize; ) {
    compared = await tools.sql.begin(async (tx) => {
      const organization = await lockOrganization(tx, sweep.id, organizationId)
      if (organization.totals === 'pending') return 0
      const due = await uncomparedDocuments(tx, sweep, organizationId, chunkSize)
      if (due.length === 0) return 0
      const moved = new Map(due.map(({ document, before, now }) => [document, movedFigure(before, now)]))
      const changed = due.filter(({ document }) => moved.get(document))
      const { analysisBatchId } = organization
      const asked =
        analysisBatchId && changed.length > 0
          ? await ask(tx, tools, 'analysis', analysisBatchId, organization, changed, sweep.startedAt)
          : new Map<string, bigint>()
      asks ||= asked.size > 0
      await recordMoved(
        tx,
        sweep.id,
        organizationId,
        due.map(({ document }) => ({
          document,
          moved: moved.get(document) ?? null,
          analysis: asked.get(document) ?? null,
        })),
      )
      return due.length
    })
  }
  if (asks) await takeOver(asker)
}

const inChunks = async (asker: Asker, next: (tx: Sql) => Promise<DueDocument[]>): Promise<number> => {
  const { tools, sweep, organizationId } = asker
  for (let asked = 0; ; ) {
    const chunk = await tools.sql.begin(async (tx) => {
      const organization = await lockOrganization(tx, sweep.id, organizationId)
      const due = await next(tx)
      if (due.length > 0) await askAbout(tx, { tools, sweep, organization }, due)
      return due.length
    })
    asked += chunk
    if (chunk > 0) continue
    if (asked > 0) await takeOver(asker)
    return asked
  }
}

/** What waits at a batch that may not pay, such as one that needs approval, is bought by the sweep. */
const takeOver = async ({ tools, sweep, organizationId }: Asker): Promise<void> => {
  const { sql, settings, clock } = tools
  const organizations = await listOrganizations(sql, sweep.id)
  const batches = organizations.find((each) => each.organizationId === organizationId)
  for (const [kind, batch] of [
    ['processes', batches?.processesBatchId],
    ['analysis', batches?.analysisBatchId],
  ] as const) {
    const deadlineAt = new Date(clock().getTime() + settings.forKind[kind].polling.deadline)
    if (batch) await assignPayers(sql, { batch }, deadlineAt)
  }
}

type Asking = { tools: MonitoringTools; sweep: Sweep; organization: SweepOrganization }

const askAbout = async (tx: Sql, { tools, sweep, organization }: Asking, due: DueDocument[]): Promise<void> => {
  const { radarSweep } = tools.settings
  const since = analysesSince(radarSweep, sweep.startedAt)
  const batches = await batchesOf(tx, { tools, sweep, organization })
  const { processesBatchId, analysisBatchId } = batches
  const processes =
    radarSweep.refresh === 'processes' && processesBatchId
      ? await ask(tx, tools, 'processes', processesBatchId, organization, due, sweep.startedAt)
      : new Map<string, bigint>()
  const analysis =
    since !== null && analysisBatchId
      ? await ask(tx, tools, 'analysis', analysisBatchId, organization, due, since)
      : new Map<string, bigint>()
  const asked = due.map(({ document }) => ({
    document,
    processes: processes.get(document) ?? null,
    analysis: analysis.get(document) ?? null,
  }))
  await recordAsked(tx, sweep.id, organization.organizationId, asked)
}

const ask = async (
  tx: Sql,
  { settings, clock }: MonitoringTools,
  kind: 'processes' | 'analysis',
  batchId: bigint,
  { organizationId }: SweepOrganization,
  due: DueDocument[],
  freshSince: Date,
): Promise<Map<string, bigint>> => {
  const now = clock()
  const questions = due.map(({ document, documentType }) => ({ question: document, documentType, label: null }))
  const deadlineAt = new Date(now.getTime() + settings.forKind[kind].polling.deadline)
  const asking = { organizationId: Number(organizationId), kind, batchId, freshSince, deadlineAt, now }
  const asked = await askLookups(tx, questions, asking)
  if (asked.length < due.length) throw new Error(`${due.length - asked.length} look-ups slipped away: asking again`)
  return new Map(asked.map(({ question, id }) => [question, id]))
}

/** One batch per kind asks for all radars of the organization. It has no file and no rows. */
const batchesOf = async (tx: Sql, { tools, sweep, organization }: Asking) => {
  if (organization.processesBatchId ?? organization.analysisBatchId) return organization
  const { radarSweep } = tools.settings
  const make = (kind: Kind) => insertSweepBatch(tx, sweepBatch(tools, sweep, organization, kind))
  const batches = {
    processesBatchId: radarSweep.refresh === 'processes' ? await make('processes') : null,
    analysisBatchId: analysesSince(radarSweep, sweep.startedAt) !== null ? await make('analysis') : null,
  }
  await recordBatch(tx, sweep.id, organization.organizationId, batches)
  return batches
}

const sweepBatch = (
  { settings }: MonitoringTools,
  sweep: Sweep,
  { organizationId }: SweepOrganization,
  kind: Kind,
) => ({
  organizationId: Number(organizationId),
  kind,
  submittedBy: `sweep ${sweep.id}`,
  name: `radars ${localDay(sweep.startedAt, settings.timezone)}`,
  maxSpend: settings.budget.perBatch,
  purpose: settings.purpose.default,
})
