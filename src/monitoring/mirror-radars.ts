import { CallFailure, callFailureOf } from '../domain/call-failure.ts'
import { documentTypeOf } from '../domain/document.ts'
import type { Account } from '../domain/lookup.ts'
import { suspicionOf } from '../domain/sweep.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import type { Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import {
  applyRadarList,
  compareSize,
  keepSuspicious,
  type ListedRadar,
  takeSuspicious,
} from '../store/radars/radars.ts'
import { planSnapshots } from '../store/radars/snapshots.ts'
import { type ListState, recordList } from '../store/radars/sweep-organizations.ts'
import type { Sweep } from '../store/radars/sweeps.ts'
import { judgeChanges } from './judge-changes.ts'
import { rulesInForce } from './keep-rules.ts'
import type { MonitoringTools, RegistryRadar } from './monitoring-tools.ts'
import { notifyPeople } from './notify-people.ts'
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
  const { sql, registry, clock } = tools
  const { organizationId } = account
  const listed = await registry.radars.list(account, { signal: options.signal }).catch(callFailureOf)
  const triedAt = clock()
  if (listed instanceof CallFailure) {
    const is = options.lastTry ? 'failed' : 'pending'
    await sql.begin(async (tx) => {
      if (options.lastTry) await planSnapshots(tx, sweep.id, organizationId)
      await recordList(tx, sweep.id, organizationId, { is, message: listed.reason, triedAt })
    })
    return is
  }
  const radars = onePerDocument(listed.radars)
  return sql.begin(async (tx) => {
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
