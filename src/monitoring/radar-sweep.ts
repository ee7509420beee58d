import { localDay } from '../domain/calendar.ts'
import { documentTypeOf } from '../domain/document.ts'
import type { Account } from '../domain/lookup.ts'
import { analysesSince, followsFigures, movedFigure } from '../domain/sweep.ts'
import type { Message } from '../messages/message.ts'
import { insertSweepBatch, type SweepKind, sweepBatches } from '../store/batches/batches.ts'
import { assignPayers } from '../store/batches/payers.ts'
import type { Sql } from '../store/connect.ts'
import { askLookups } from '../store/lookups/ask-lookups.ts'
import { recordMoved, uncomparedDocuments } from '../store/radars/free-figures.ts'
import { type AskAgain, documentsToAsk, planSnapshots, recordAsked, sweepProgress } from '../store/radars/snapshots.ts'
import {
  addOrganizations,
  listOrganizations,
  lockOrganization,
  recordList,
  type SweepOrganization,
} from '../store/radars/sweep-organizations.ts'
import { failSweep, readSweep, type Sweep } from '../store/radars/sweeps.ts'
import { finishRadarSweep } from './finish-radar-sweep.ts'
import { mirrorRadars, readTotals } from './mirror-radars.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import { tryStep } from './sweep.ts'

/** How long a radar sweep waits, in milliseconds. */
export type SweepTimeouts = {
  /** Between two checks whether everything is answered. */
  look: number
  /** Before unanswered look-ups are asked once more. */
  retry: number
  mostTries: number
  /** How long a list that cannot be read is read again. */
  list: number
  /** From the start to the report, even if answers are missing: people read it in the morning. */
  window: number
}

export const nightTimeouts: SweepTimeouts = {
  look: 2_000,
  retry: 15 * 60_000,
  mostTries: 4,
  list: 60 * 60_000,
  window: 5 * 60 * 60_000,
}

/** How one step of a radar sweep runs. */
type StepOptions = { timeouts?: SweepTimeouts; signal?: AbortSignal }

/**
 * Advances a radar sweep as far as possible. Returns the milliseconds until the next step, or null when it is over.
 * A sweep that fails three times in a row is over too.
 */
export const takeRadarSweepFurther = (
  tools: MonitoringTools,
  sweepId: bigint,
  options: StepOptions = {},
): Promise<number | null> =>
  tryStep(tools, sweepId, () => takeStep(tools, sweepId, options), {
    giveUp: (why) => failSweep(tools.sql, sweepId, { why, now: tools.clock() }),
    signal: options.signal,
  })

/**
 * The state of a sweep is in its rows, so any worker can continue where another was killed: it reads the missing lists,
 * asks about the missing documents, and reports once everything is answered or the time window is over. An organization
 * that was removed from the settings cannot be asked about, so the sweep does not wait for it.
 */
const takeStep = async (
  tools: MonitoringTools,
  sweepId: bigint,
  { timeouts = nightTimeouts, signal }: StepOptions,
): Promise<number | null> => {
  const sweep = await readSweep(tools.sql, sweepId)
  if (sweep?.state !== 'running') return null
  await addOrganizations(
    tools.sql,
    sweepId,
    tools.accounts.map(({ organizationId }) => organizationId),
  )
  await leaveOutGone(tools, sweep)
  const unread = await readLists(tools, sweep, timeouts, signal)
  const organizations = (await listOrganizations(tools.sql, sweepId)).filter((each) => accountOf(tools, each))
  for (const { organizationId } of organizations) {
    await askRadars({ tools, sweep, organizationId })
    await followMoved({ tools, sweep, organizationId })
  }
  const wait = unread > 0 ? timeouts.look : await waitForAnswers(tools, sweep, organizations, timeouts)
  const over = tools.clock().getTime() - sweep.startedAt.getTime() >= timeouts.window
  if (wait !== null && !over) return wait
  await finishRadarSweep(tools, sweep)
  return null
}

/** The known radars of an organization that was removed from the settings are due, but cannot be verified. */
const leaveOutGone = async (tools: MonitoringTools, sweep: Sweep): Promise<void> => {
  for (const organization of await listOrganizations(tools.sql, sweep.id)) {
    if (organization.list !== 'pending' || accountOf(tools, organization)) continue
    const organizationId = Number(organization.organizationId)
    const message: Message = ['organization_gone', organizationId]
    await tools.sql.begin(async (tx) => {
      await planSnapshots(tx, sweep.id, organizationId)
      await recordList(tx, sweep.id, organizationId, { is: 'failed', message, triedAt: tools.clock() })
    })
    tools.log.warn({ sweep: String(sweep.id), organization: organizationId }, 'organization not in the settings')
  }
}

/** Reads the list of radars, and then the free totals of the list of analyses. Returns how many lists are still unread. */
const readLists = async (
  tools: MonitoringTools,
  sweep: Sweep,
  timeouts: SweepTimeouts,
  signal: AbortSignal | undefined,
): Promise<number> => {
  const organizations = await listOrganizations(tools.sql, sweep.id)
  let unread = 0
  for (const organization of organizations) {
    const account = accountOf(tools, organization)
    if (!account) continue
    const now = tools.clock().getTime()
    const isTooSoon = now - (organization.triedAt?.getTime() ?? 0) < timeouts.look
    const lastTry = now - sweep.startedAt.getTime() >= timeouts.list
    const options = { lastTry, signal }
    let { list, totals } = organization
    if (list === 'pending' && !isTooSoon) list = await mirrorRadars(tools, sweep, account, options)
    if (list !== 'pending' && totals === 'pending') totals = await readTotals(tools, sweep, account, options)
    if (list === 'pending' || totals === 'pending') unread++
  }
  return unread
}

const accountOf = ({ accounts }: MonitoringTools, { organizationId }: SweepOrganization): Account | undefined =>
  accounts.find((account) => BigInt(account.organizationId) === organizationId)

/** Null if no more answers will come: all are there, or were asked for as often as allowed. */
const waitForAnswers = async (
  tools: MonitoringTools,
  sweep: Sweep,
  organizations: SweepOrganization[],
  { look, retry, mostTries }: SweepTimeouts,
): Promise<number | null> => {
  const ids = organizations.map(({ organizationId }) => organizationId)
  const { open, unanswered, lastEndedAt } = await sweepProgress(tools.sql, sweep.id, ids, {
    mostTries,
    compares: followsFigures(tools.settings.radarSweep),
  })
  if (open > 0) return look
  if (unanswered === 0) return null
  const now = tools.clock()
  const due = (lastEndedAt?.getTime() ?? 0) + retry
  if (now.getTime() < due) return Math.max(look, due - now.getTime())
  for (const { organizationId } of organizations)
    await askRadars({ tools, sweep, organizationId }, { mostTries, endedBefore: now })
  return look
}

const chunkSize = 2_000

type Asker = { tools: MonitoringTools; sweep: Sweep; organizationId: bigint }

/**
 * Asks the ordinary look-up engine about each active radar of an organization, so the same limits, budgets and holds
 * apply as to any batch. With `again` it asks once more about radars without an answer: a purchase is inherited, never
 * made again.
 */
const askRadars = (asker: Asker, again?: AskAgain): Promise<void> =>
  inChunks(asker, async (tx) => {
    const { tools, sweep, organizationId } = asker
    const { radarSweep } = tools.settings
    const due = await documentsToAsk(tx, sweep.id, organizationId, chunkSize, again)
    if (due.length === 0) return nothingDue
    const since = analysesSince(radarSweep, sweep.startedAt)
    const processes = await ask(tx, asker, 'processes', radarSweep.refresh === 'processes' ? due : [])
    const analysis = await ask(tx, asker, 'analysis', since === null ? [] : due, since)
    const asked = due.map((document) => ({
      document,
      processes: processes.get(document) ?? null,
      analysis: analysis.get(document) ?? null,
    }))
    await recordAsked(tx, sweep.id, organizationId, asked)
    return { due: due.length, asked: due.length }
  })

/**
 * Buys a new analysis of each radar whose free figures moved since the last one. Each radar is compared once a night, as
 * soon as its figures are read.
 */
const followMoved = async (asker: Asker): Promise<void> => {
  const { tools, sweep, organizationId } = asker
  if (!followsFigures(tools.settings.radarSweep)) return
  await inChunks(asker, async (tx, { totals }) => {
    if (totals === 'pending') return nothingDue
    const due = await uncomparedDocuments(tx, sweep, organizationId, chunkSize)
    if (due.length === 0) return nothingDue
    const moved = new Map(due.map(({ document, before, now }) => [document, movedFigure(before, now)]))
    const changed = due.flatMap(({ document }) => (moved.get(document) ? [document] : []))
    const asked = await ask(tx, asker, 'analysis', changed)
    const compared = due.map(({ document }) => ({
      document,
      moved: moved.get(document) ?? null,
      analysis: asked.get(document) ?? null,
    }))
    await recordMoved(tx, sweep.id, organizationId, compared)
    return { due: due.length, asked: asked.size }
  })
}

/** How many radars were due, and of how many of them something was asked. */
type ChunkTaken = { due: number; asked: number }

const nothingDue: ChunkTaken = { due: 0, asked: 0 }

/** A chunk is one transaction: the next worker takes what a killed one did not. */
const inChunks = async (
  asker: Asker,
  take: (tx: Sql, organization: SweepOrganization) => Promise<ChunkTaken>,
): Promise<void> => {
  const { tools, sweep, organizationId } = asker
  for (let asked = 0; ; ) {
    const taken = await tools.sql.begin(async (tx) => take(tx, await lockOrganization(tx, sweep.id, organizationId)))
    asked += taken.asked
    if (taken.due > 0) continue
    if (asked > 0) await takeOver(asker)
    return
  }
}

/** What waits at a batch that may not pay, such as one that needs approval, is bought by the sweep. */
const takeOver = async ({ tools, sweep, organizationId }: Asker): Promise<void> => {
  for (const { id, kind } of await sweepBatches(tools.sql, sweep.id, organizationId))
    await assignPayers(tools.sql, { batch: id }, deadlineOf(tools, kind))
}

const deadlineOf = ({ settings, clock }: MonitoringTools, kind: SweepKind): Date =>
  new Date(clock().getTime() + settings.forKind[kind].polling.deadline)

const ask = async (
  tx: Sql,
  asker: Asker,
  kind: SweepKind,
  documents: string[],
  since: Date | null = null,
): Promise<Map<string, bigint>> => {
  if (documents.length === 0) return new Map()
  const { tools, sweep, organizationId } = asker
  const batchId = await batchOf(tx, asker, kind)
  const questions = documents.map((question) => ({ question, documentType: documentTypeOf(question), label: null }))
  const times = { freshSince: since ?? sweep.startedAt, deadlineAt: deadlineOf(tools, kind), now: tools.clock() }
  const asked = await askLookups(tx, questions, { organizationId: Number(organizationId), kind, batchId, ...times })
  const missed = documents.length - asked.length
  if (missed > 0) throw new Error(`${missed} look-ups slipped away: asking again`)
  return new Map(asked.map(({ question, id }) => [question, id]))
}

/** One batch per kind asks about all radars of the organization. */
const batchOf = async (tx: Sql, { tools, sweep, organizationId }: Asker, kind: SweepKind): Promise<bigint> => {
  const known = await sweepBatches(tx, sweep.id, organizationId)
  const { timezone, budget, purpose } = tools.settings
  return (
    known.find((batch) => batch.kind === kind)?.id ??
    insertSweepBatch(tx, {
      organizationId: Number(organizationId),
      kind,
      submittedBy: `sweep ${sweep.id}`,
      name: `radars ${localDay(sweep.startedAt, timezone)}`,
      maxSpend: budget.perBatch,
      purpose: purpose.default,
      sweepId: sweep.id,
    })
  )
}
