import type { Sql } from '../../../../src/store/connect.ts'
import type { Sending } from '../../../../src/store/lookups/intents.ts'
import { changeLookup } from '../change-lookup.ts'
import { DatabaseError, type ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { reserveBatch, reserveDay } from '../purchases/spending.ts'
import { byId, floorMs } from '../rules.ts'
import type { IntentRecord, LookupRecord } from '../tables.ts'
import { toLookup, workable } from './lookup-rows.ts'

type Intent = { now: Date; judgedAfterMs: number; server: string }
type Budget = { day: string; perDay: number | null }

/** Every worker of a history has the same version. */
export const isOutdated = async (): Promise<boolean> => false

export const beginSending = (
  sql: Sql,
  ids: bigint[],
  jobId: string,
  { now, judgedAfterMs, server }: Intent,
  budget: Budget | null = null,
): Promise<Sending[]> =>
  on(sql, (database) => {
    if (server !== database.start) return []
    const asked = workable(database, ids, jobId, now)
      .filter(({ state, deadlineAt }) => state === 'queued' && deadlineAt > now)
      .sort(byId)
    const { intents } = database.tables
    const sent = asked.flatMap((lookup) => {
      if (intents.has(lookup.id)) return []
      const judgedAt = new Date(database.now().getTime() + judgedAfterMs)
      const snapshotId = newestEnded(database, lookup)
      database.put(intents, lookup.id, { lookupId: lookup.id, sentAt: now, judgedAt, snapshotId })
      return [sendingOf(lookup, now, snapshotId)]
    })
    if (budget) reserveAll(database, sent, budget)
    return sent
  })

const sendingOf = (lookup: LookupRecord, now: Date, snapshotId: bigint | null): Sending => ({
  ...toLookup(lookup),
  listSnapshotId: snapshotId,
  batchId: lookup.batchId,
  state: 'sending',
  sendingAt: now,
  unlistedAt: null,
  refusedAs: null,
  charged: 'unknown',
})

const newestEnded = ({ tables }: ModelDatabase, { organizationId, kind }: LookupRecord): bigint | null => {
  let newest: bigint | null = null
  for (const { id, endedAt, ...of } of tables.snapshots.values()) {
    if (of.organizationId !== organizationId || of.kind !== kind || endedAt === null) continue
    if (newest === null || id > newest) newest = id
  }
  return newest
}

const reserveAll = (database: ModelDatabase, sent: Sending[], { day, perDay }: Budget): void => {
  const batches = [...Map.groupBy(sent, ({ batchId }) => batchId)].sort(([a], [b]) => Number(a - b))
  for (const [batchId, group] of batches) {
    if (reserveBatch(database, batchId, group.length) < group.length) throw new DatabaseError('VG001', 'batch')
  }
  if (sent.length > 0 && reserveDay(database, day, sent.length, perDay) < sent.length) {
    throw new DatabaseError('VG001', 'day')
  }
}

export const takeBackIntents = (sql: Sql, taken: Pick<Sending, 'id' | 'sendingAt'>[]) =>
  on(sql, (database) => {
    for (const { id, sendingAt } of taken) takeIntent(database, id, sendingAt)
    return []
  })

/** Ends the intent of that call, if it is still recorded. */
export const takeIntent = (database: ModelDatabase, id: bigint, sentAt: Date | null): IntentRecord | null => {
  const { intents } = database.tables
  const intent = intents.get(id)
  if (!sentAt || intent?.sentAt.getTime() !== sentAt.getTime()) return null
  database.drop(intents, id)
  return intent
}

export const isDeletedPurchase = ({ tables }: ModelDatabase, l: LookupRecord): boolean =>
  l.remoteId !== null && (tables.purchases.get(`${l.organizationId}/${l.kind}/${l.remoteId}`)?.deleted ?? false)

/** What is unknown of a look-up is the call that was sent at that moment. */
export const isOfCall = (l: LookupRecord, sentAt: Date | null): boolean =>
  floorMs(l.sentAt) === (sentAt === null ? null : sentAt.getTime())

export const recordUnknownOutcomes = (sql: Sql, now: Date) =>
  on(sql, (database): { id: bigint }[] => {
    const { intents, lookups } = database.tables
    const at = database.now()
    return [...intents.values()].flatMap(({ lookupId, sentAt, judgedAt, snapshotId }) => {
      if (judgedAt > at) return []
      database.drop(intents, lookupId)
      const lookup = lookups.get(lookupId)
      if (lookup?.state !== 'queued') return []
      changeLookup(database, lookup, {
        state: 'sending',
        charged: 'unknown',
        sentAt,
        snapshotId,
        unlistedAt: null,
        refusedAs: null,
        dueAt: now,
      })
      return [{ id: lookup.id }]
    })
  })
