import type { ListFigures } from '../../../../src/domain/judge.ts'
import type { Message } from '../../../../src/messages/message.ts'
import type { Sql, Transaction } from '../../../../src/store/connect.ts'
import type { ListSnapshot } from '../../../../src/store/purchases/list-snapshots.ts'
import type { PaidLane } from '../../../../src/store/purchases/purchases.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { takeLock } from '../lookups/claims.ts'
import { holdStops, laneKey, mayAsk } from '../rules.ts'
import type { SnapshotRecord } from '../tables.ts'

export const lockListRead = (tx: Transaction, lane: PaidLane): Promise<boolean> =>
  takeLock(tx, `list of ${laneKey(lane)}`)

const blank = {
  endedAt: null,
  items: null,
  analyses: null,
  limit: null,
  complete: null,
  lacks: false,
  misdated: false,
  oldestAt: null,
  youngestAt: null,
  requiredAt: null,
  awaitedAt: null,
  problem: null,
}

const ofLane = ({ tables }: ModelDatabase, lane: PaidLane): SnapshotRecord[] =>
  [...tables.snapshots.values()].filter(
    ({ organizationId, kind }) => organizationId === lane.organizationId && kind === lane.kind,
  )

const newest = (snapshots: SnapshotRecord[]): SnapshotRecord | null =>
  snapshots.reduce<SnapshotRecord | null>((best, each) => (best && best.id > each.id ? best : each), null)

const insert = (database: ModelDatabase, lane: PaidLane, known: Partial<SnapshotRecord>): SnapshotRecord => {
  const { organizationId, kind } = lane
  const id = database.nextSnapshotId()
  const snapshot = { ...blank, id, organizationId, kind, beganAt: database.now(), ...known }
  database.put(database.tables.snapshots, id, snapshot)
  return snapshot
}

export const beginListRead = (sql: Sql, lane: PaidLane): Promise<{ id: bigint; beganAt: Date }> =>
  on(sql, (database) => {
    for (const snapshot of ofLane(database, lane)) {
      if (!snapshot.endedAt) database.set(snapshot, { endedAt: database.now(), problem: ['reader_gone'] })
    }
    const { id, beganAt } = insert(database, lane, {})
    return { id, beganAt }
  })

const listSnapshotOf = ({
  id,
  beganAt,
  complete,
  lacks,
  oldestAt,
  youngestAt,
  requiredAt,
  awaitedAt,
}: SnapshotRecord): ListSnapshot => ({
  id,
  beganAt,
  complete: complete!,
  lacks,
  oldestAt,
  youngestAt,
  requiredAt,
  awaitedAt,
})

export const insertListSnapshot = (
  sql: Sql,
  lane: PaidLane,
  { beganAt, complete }: Pick<ListSnapshot, 'beganAt' | 'complete'>,
): Promise<ListSnapshot> =>
  on(sql, (database) => listSnapshotOf(insert(database, lane, { beganAt, complete, endedAt: database.now() })))

type End = Pick<ListFigures, 'analyses' | 'limit'> &
  Omit<ListSnapshot, 'id' | 'beganAt'> & { lacks: boolean; misdated: boolean; items: number | null }

export const endListRead = (sql: Sql, id: bigint, end: End) =>
  on(sql, (database): { id: bigint }[] => {
    const snapshot = database.tables.snapshots.get(id)
    if (!snapshot || snapshot.endedAt) return []
    database.set(snapshot, { ...end, endedAt: database.now() })
    return [{ id }]
  })

export const failListRead = (sql: Sql, id: bigint, problem: Message) =>
  on(sql, (database) => {
    const snapshot = database.tables.snapshots.get(id)
    if (snapshot && !snapshot.endedAt) database.set(snapshot, { endedAt: database.now(), problem })
    return []
  })

/** The registry of a history names no earlier purchases, so nothing contradicts the ledger. */
export const latestListSnapshot = (
  sql: Sql,
  lane: PaidLane,
): Promise<(ListSnapshot & { isContradicted: boolean }) | null> =>
  on(sql, (database) => {
    const latest = newest(ofLane(database, lane).filter(({ complete }) => complete !== null))
    return latest && { ...listSnapshotOf(latest), isContradicted: false }
  })

export const firstListSince = (sql: Sql, lane: PaidLane, since: Date): Promise<Date | null> =>
  on(sql, (database) => {
    const read = ofLane(database, lane).filter(({ complete, beganAt }) => complete !== null && beganAt >= since)
    return read.length > 0 ? new Date(Math.min(...read.map(({ beganAt }) => beganAt.getTime()))) : null
  })

export const newestListSnapshotId = (sql: Sql, lane: PaidLane): Promise<bigint> =>
  on(sql, (database) => newest(ofLane(database, lane))?.id ?? 0n)

export const wasReadFor = (sql: Sql, lane: PaidLane, ids: bigint[], longestBeforeMs: number): Promise<boolean> =>
  on(sql, (database) => {
    const asked = ids.flatMap((id) => database.tables.lookups.get(id)?.askedAt.getTime() ?? [])
    if (asked.length === 0) return false
    const since = Math.max(...asked) - longestBeforeMs
    return ofLane(database, lane).some(({ complete, beganAt }) => complete !== null && beganAt.getTime() >= since)
  })

export const completeAsOf = (sql: Sql, lane: PaidLane, ids: bigint[]): Promise<Map<bigint, boolean>> =>
  on(sql, (database) => {
    const came = ofLane(database, lane).filter(({ complete }) => complete !== null)
    return new Map(
      ids.flatMap((upTo) => {
        const list = newest(came.filter(({ id }) => id <= upTo))
        return list ? [[upTo, list.complete!] as const] : []
      }),
    )
  })

export const latestProblem = (sql: Sql, lane: PaidLane): Promise<{ problem: Message; endedAt: Date } | null> =>
  on(sql, (database) => {
    const last = newest(ofLane(database, lane).filter(({ endedAt }) => endedAt !== null))
    return last?.problem ? { problem: last.problem, endedAt: last.endedAt! } : null
  })

export const buyersWaiting = (sql: Sql, lane: PaidLane): Promise<{ wait: boolean; areHeld: boolean }> =>
  on(sql, ({ tables }) => {
    const wait = [...tables.lookups.values()].some((l) => {
      if (l.state !== 'queued' || l.dueAt === null || (l.attempts > 0 && l.message !== null)) return false
      const b = tables.batches.get(l.batchId)
      const isOfLane = b?.organizationId === lane.organizationId && b.kind === lane.kind && l.kind === lane.kind
      return isOfLane && b.finishedAt === null && mayAsk(b)
    })
    const held = tables.lanes.get(laneKey(lane))
    return { wait, areHeld: held !== undefined && holdStops(held.cause, 'queued') }
  })
