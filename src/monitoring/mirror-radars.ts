import { CallFailure, callFailureOf } from '../domain/call-failure.ts'
import { documentTypeOf } from '../domain/document.ts'
import { countsAll } from '../domain/judge.ts'
import type { Account } from '../domain/lookup.ts'
import { followsFigures, suspicionOf } from '../domain/sweep.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import type { Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import { endTotals, forgetTotals, type ListedTotals, recordTotals } from '../store/radars/free-figures.ts'
import {
  applyRadarList,
  compareSize,
  keepSuspicious,
  type ListedRadar,
  takeSuspicious,
} from '../store/radars/radars.ts'
import { planSnapshots } from '../store/radars/snapshots.ts'
import { type ListState, lockOrganization, recordList } from '../store/radars/sweep-organizations.ts'
import type { Sweep } from '../store/radars/sweeps.ts'
import type { MonitoringTools, RegistryRadar } from './monitoring-tools.ts'
import { notifyPeople } from './notify-people.ts'
import { judgeChanges, rulesInForce } from './rules.ts'
import { SweepRefusal } from './sweep.ts'

/**
 * Reads the list of one organization into the mirror, and plans a snapshot of each radar that is active in it.
 *
 * A rejected list changes nothing: it is stored apart, people are notified, and the radars known before are checked. A
 * list that could not be read is read again until `lastTry`; after that the mirror is used as it is.
 */
export const mirrorRadars = async (
  tools: MonitoringTools,
  sweep: Sweep,
  account: Account,
  options: { lastTry: boolean; signal?: AbortSignal },
): Promise<ListState> => {
  const { registry, clock } = tools
  const { organizationId } = account
  const listed = await registry.radars.list(account, { signal: options.signal }).catch(callFailureOf)
  const triedAt = clock()
  if (listed instanceof CallFailure) {
    const is = options.lastTry ? 'failed' : 'pending'
    return recordOnce(tools, sweep, account, async (tx) => {
      if (options.lastTry) await planSnapshots(tx, sweep.id, organizationId)
      await recordList(tx, sweep.id, organizationId, { is, message: listed.reason, triedAt })
      return is
    })
  }
  const radars = onePerDocument(listed.radars)
  return recordOnce(tools, sweep, account, async (tx) => {
    const size = await compareSize(tx, organizationId, documentsOf(radars))
    const suspected = suspicionOf({ complete: listed.complete, listed: radars.length, ...size })
    if (suspected)
      await keepSuspicious(tx, { organizationId, sweepId: sweep.id, message: suspected, radars, seenAt: triedAt })
    else await applyRadarList(tx, sweep.id, organizationId, radars, triedAt)
    await planSnapshots(tx, sweep.id, organizationId)
    const is = suspected ? 'suspicious' : 'applied'
    await recordList(tx, sweep.id, organizationId, { is, message: suspected, triedAt })
    if (suspected) await notifySuspicion(tools, { sweep, organizationId, suspected }, tx)
    return is
  })
}

/**
 * Two runs of one sweep may each have read a list, and the older one may come last. The first that is recorded counts: a
 * second would make another list due, or undo what the first changed, and the next sweep would report it again.
 */
const recordOnce = (
  { sql }: MonitoringTools,
  sweep: Sweep,
  { organizationId }: Account,
  record: (tx: Sql) => Promise<ListState>,
): Promise<ListState> =>
  sql.begin(async (tx) => {
    const { list } = await lockOrganization(tx, sweep.id, BigInt(organizationId))
    return list === 'pending' ? record(tx) : list
  })

/** The registry lists a document once each time it is added. It is monitored while any of these entries is active. */
export const onePerDocument = (radars: RegistryRadar[]): ListedRadar[] => {
  const byDocument = Map.groupBy(radars, ({ document }) => document)
  return [...byDocument.values()].map((links) => {
    const radar = links.findLast(({ active }) => active !== false) ?? links.at(-1)!
    return {
      document: radar.document,
      documentType: documentTypeOf(radar.document),
      linkId: radar.linkId,
      radarId: radar.id,
      name: radar.name,
      active: radar.active !== false,
      customerType: radar.customerType,
      addedAt: radar.createdAt,
      processedAt: radar.processedAt ?? null,
      listed: radar.listed ?? null,
    }
  })
}

export const documentsOf = (radars: { document: string }[]): string[] => radars.map(({ document }) => document)

type Suspicion = { sweep: Sweep; organizationId: number; suspected: Message }

const notifySuspicion = async (
  tools: MonitoringTools,
  { sweep, organizationId, suspected }: Suspicion,
  tx: Sql,
): Promise<void> => {
  const reason = inEnglish(suspected)
  tools.log.error({ sweep: String(sweep.id), organization: organizationId, reason }, 'radar list is suspicious')
  const cure = `If it is right: vigia radars accept ${organizationId}`
  const event = {
    key: `radars.suspicious ${sweep.id} ${organizationId}`,
    about: 'radars.suspicious',
    severity: 'warning' as const,
    body: { sweep: Number(sweep.id), organizationId, reason, said: suspected, cure },
  }
  await notifyPeople(tools, event, tx)
}

/** Applies a rejected list that a person confirmed, removals included. */
export const acceptRadarList = (
  {
    sql,
    clock,
    settings,
  }: Pick<MonitoringTools, 'sql' | 'clock'> & {
    settings: Pick<MonitoringTools['settings'], 'rules'>
  },
  { organizationId, by }: { organizationId: number; by: string },
): Promise<number> =>
  sql.begin(async (tx) => {
    const list = await takeSuspicious(tx, organizationId)
    if (!list) throw new SweepRefusal(['no_suspicious', organizationId])
    await applyRadarList(tx, list.sweepId, organizationId, list.radars, clock())
    await judgeChanges(tx, await rulesInForce(tx, settings.rules), list.sweepId)
    await recordAudit(tx, by, 'accept radars', `organization ${organizationId}`, { radars: list.radars.length })
    return list.radars.length
  })

/**
 * Writes the free totals of the list of analyses into the snapshots of a sweep, page by page: the list may be larger than
 * memory (Interface 4.6). A list that cannot be read is read again until `lastTry`; then the night does without.
 */
export const readTotals = async (
  tools: MonitoringTools,
  sweep: Sweep,
  account: Account,
  { lastTry, signal }: { lastTry: boolean; signal?: AbortSignal | undefined },
): Promise<'read' | 'pending' | 'failed'> => {
  const { sql, registry, settings, log } = tools
  const organizationId = BigInt(account.organizationId)
  if (followsFigures(settings.radarSweep)) {
    const record = (listed: ListedTotals[]) => recordTotals(sql, sweep.id, organizationId, listed)
    await forgetTotals(sql, sweep.id, organizationId)
    const read = await streamTotals(registry, account, record, signal).catch(callFailureOf)
    if (read instanceof CallFailure && !lastTry) return 'pending'
    if (read !== 'complete') {
      const reason = read instanceof CallFailure ? read.message : 'the list does not show everything'
      log.warn({ sweep: String(sweep.id), organization: account.organizationId, reason }, 'free totals not read')
      await forgetTotals(sql, sweep.id, organizationId)
      await endTotals(sql, sweep.id, organizationId, 'failed')
      return 'failed'
    }
  }
  await endTotals(sql, sweep.id, organizationId, 'read')
  return 'read'
}

/** Of each document of the list, in pages; those without a total are left out. */
export const streamTotals = async (
  registry: Pick<MonitoringTools['registry'], 'activities'>,
  account: Account,
  take: (listed: ListedTotals[]) => PromiseLike<unknown>,
  signal?: AbortSignal,
): Promise<'complete' | 'cut'> => {
  const page = async (activities: { consumption: ListedTotals }[]) => {
    const listed = greatestOf(activities.map(({ consumption }) => consumption))
    if (listed.length > 0) await take(listed)
  }
  const figures = await registry.activities.read(account, () => page, { signal })
  return countsAll(figures) ? 'complete' : 'cut'
}

const greatestOf = (items: ListedTotals[]): ListedTotals[] => {
  const known = items.filter(({ totalRisk, totalAnalyzed }) => totalRisk !== null || totalAnalyzed !== null)
  return [...Map.groupBy(known, ({ document }) => document)].map(([document, same]) => ({
    document,
    totalRisk: greatest(same.map(({ totalRisk }) => totalRisk)),
    totalAnalyzed: greatest(same.map(({ totalAnalyzed }) => totalAnalyzed)),
  }))
}

const greatest = (totals: (number | null)[]): number | null => {
  const known = totals.filter((total) => total !== null)
  return known.length > 0 ? Math.max(...known) : null
}
