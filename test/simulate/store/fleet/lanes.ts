import type { HoldCause } from '../../../../src/domain/call-failure.ts'
import type { Kind } from '../../../../src/domain/kind.ts'
import type { Message } from '../../../../src/messages/message.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import type { Hold } from '../../../../src/store/fleet/lanes.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { goesOn, heldByOperator, holdIsTriedBy, holdingEveryLane, holdStops, laneKey } from '../rules.ts'
import type { LaneRecord } from '../tables.ts'

type Lane = { organizationId: number | bigint; kind: Kind }
type NewHold = { cause: HoldCause; reason: Message; trialAt: Date | null; exactly?: boolean }

const laneOf = ({ tables }: ModelDatabase, lane: Lane): LaneRecord | undefined => tables.lanes.get(laneKey(lane))
const isByPerson = ({ cause }: LaneRecord): boolean => heldByOperator.includes(cause)

export const holdLane = (sql: Sql, lane: Lane, hold: NewHold, now: Date): Promise<boolean> =>
  on(sql, (database) => {
    const held = laneOf(database, lane)
    const { cause, reason, trialAt, exactly = false } = hold
    if (!held) {
      const organizationId = Number(lane.organizationId)
      const record = { organizationId, kind: lane.kind, cause, message: reason, heldAt: now, trialAt, trials: 0 }
      database.put(database.tables.lanes, laneKey(lane), record)
      return true
    }
    if (isByPerson(held)) return false
    const isNew = exactly || (cause === 'list' && held.cause !== 'list')
    database.set(held, { cause, message: reason, trialAt: isNew ? trialAt : latest(held.trialAt, trialAt) })
    return false
  })

/** As `greatest` of PostgreSQL: a null is no candidate. */
const latest = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one > other ? one : other) : (one ?? other)
const soonest = (one: Date | null, other: Date): Date => (one && one < other ? one : other)

export const beginTrial = (
  sql: Sql,
  lane: Lane,
  now: Date,
  next: (cause: HoldCause, trials: number) => Date | null,
): Promise<boolean> =>
  on(sql, (database) => {
    const held = laneOf(database, lane)
    if (!held || held.trialAt === null || held.trialAt > now) return false
    database.set(held, { trialAt: next(held.cause, held.trials + 1), trials: held.trials + 1 })
    return true
  })

export const tryLaneSoon = (sql: Sql, lane: Lane, now: Date) =>
  on(sql, (database) => {
    const held = laneOf(database, lane)
    if (held && !isByPerson(held)) database.set(held, { trialAt: soonest(held.trialAt, now) })
    return []
  })

const triedWithNew = ['outage', 'denied', 'refused', 'fetch_refused']

export const tryLaneWithNew = (sql: Sql, lane: Lane, now: Date) =>
  on(sql, (database) => {
    const held = laneOf(database, lane)
    if (held && triedWithNew.includes(held.cause)) database.set(held, { trialAt: soonest(held.trialAt, now) })
    return []
  })

const freeIf = (database: ModelDatabase, lane: Lane, may: (held: LaneRecord) => boolean): boolean => {
  const held = laneOf(database, lane)
  return held !== undefined && may(held) && database.drop(database.tables.lanes, laneKey(lane))
}

const freeAll = (database: ModelDatabase, may: (held: LaneRecord) => boolean): string[] =>
  [...database.tables.lanes].flatMap(([key, held]) =>
    may(held) && database.drop(database.tables.lanes, key) ? [key] : [],
  )

export const freeLane = (sql: Sql, lane: Lane): Promise<boolean> =>
  on(sql, (database) => freeIf(database, lane, (held) => !isByPerson(held)))

export const freeLaneHeldFor = (sql: Sql, lane: Lane, cause: HoldCause): Promise<boolean> =>
  on(sql, (database) => freeIf(database, lane, (held) => held.cause === cause))

export const resumeLane = (sql: Sql, lane: Lane): Promise<boolean> =>
  on(sql, (database) => freeIf(database, lane, () => true))

export const freeLanesHeldFor = (sql: Sql, cause: HoldCause): Promise<number> =>
  on(sql, (database) => freeAll(database, (held) => held.cause === cause).length)

export const freeLanesProvenBy = (sql: Sql, begunAt: Date): Promise<number> =>
  on(sql, (database) => freeAll(database, ({ cause, heldAt }) => cause === 'token' && heldAt < begunAt).length)

export const freeIdleLanes = (sql: Sql, dueBefore: Date): Promise<string[]> =>
  on(sql, (database) =>
    freeAll(
      database,
      (held) =>
        !isByPerson(held) &&
        !holdingEveryLane.includes(held.cause) &&
        held.trialAt !== null &&
        held.trialAt <= dueBefore &&
        !hasTrial(database, held),
    ),
  )

/** Some look-up of the lane would try it. */
const hasTrial = ({ tables }: ModelDatabase, lane: LaneRecord): boolean => {
  for (const l of tables.lookups.values()) {
    if (l.dueAt === null || !['queued', 'waiting', 'sending'].includes(l.state)) continue
    const b = tables.batches.get(l.batchId)
    if (!b || b.organizationId !== lane.organizationId || b.kind !== lane.kind || b.finishedAt || l.kind !== b.kind)
      continue
    if ((l.state !== 'queued' || goesOn(b)) && holdIsTriedBy(lane.cause, l.state)) return true
  }
  return false
}

export const heldLanes = (sql: Sql) =>
  on(sql, ({ tables }): Hold[] =>
    [...tables.lanes.values()]
      .sort(
        (a, b) =>
          a.heldAt.getTime() - b.heldAt.getTime() || a.organizationId - b.organizationId || (a.kind < b.kind ? -1 : 1),
      )
      .map((held) => ({
        organizationId: BigInt(held.organizationId),
        kind: held.kind,
        cause: held.cause,
        message: held.message,
        heldAt: held.heldAt,
        trialAt: held.trialAt,
        trials: held.trials,
        stops: holdStops(held.cause, 'waiting') ? 'everything' : 'asking',
      })),
  )
