import { intentKinds } from '../../../../src/domain/kind.ts'
import { type FinalState, lastPollMs } from '../../../../src/domain/lookup.ts'
import type { Message } from '../../../../src/messages/message.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import { changeLookup } from '../change-lookup.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { holdStops, laneKey } from '../rules.ts'
import type { LaneRecord, LookupRecord } from '../tables.ts'
import { claimedIn } from './claims.ts'

export const lockOverdue = (sql: Sql, now: Date) =>
  on(sql, (database): { id: bigint }[] => {
    const { lookups, batches } = database.tables
    const isClaimed = claimedIn(database)
    return [...lookups.values()].flatMap(({ id, kind, state, batchId, dueAt, deadlineAt }) => {
      const batch = batches.get(batchId)
      const isOpen = state === 'queued' || state === 'waiting'
      if (!batch || !isOpen || batch.kind !== kind) return []
      if (batch.finishedAt || batch.pausedAt || !['running', 'cancelled'].includes(batch.state)) return []
      if (!dueAt || deadlineAt > now || now.getTime() - dueAt.getTime() < (state === 'waiting' ? lastPollMs : 0))
        return []
      return !isClaimed(id, state) || (state === 'queued' && intentKinds.includes(kind)) ? [{ id }] : []
    })
  })

export const endOverdue = (sql: Sql, ids: bigint[], now: Date) =>
  on(sql, (database): { id: bigint }[] =>
    ids.flatMap((id) => {
      const lookup = database.tables.lookups.get(id)
      if (!lookup || database.tables.intents.has(id)) return []
      const lane = holdingLane(database, lookup)
      const message: Message = lane?.message ?? lookup.message ?? ['last_seen', lookup.seen]
      changeLookup(database, lookup, { state: endedAs(lookup, lane), finishedAt: now, dueAt: null, message })
      return [{ id }]
    }),
  )

const holdingLane = ({ tables }: ModelDatabase, lookup: LookupRecord): LaneRecord | null => {
  const lane = tables.lanes.get(laneKey(lookup))
  return lane && holdStops(lane.cause, lookup.state) ? lane : null
}

const endedAs = ({ attempts, message }: LookupRecord, lane: LaneRecord | null): FinalState => {
  if (lane?.cause === 'plan') return 'plan_blocked'
  if (lane?.cause === 'denied') return 'denied'
  return !lane && attempts > 0 && message !== null ? 'failed' : 'timed_out'
}

export const parkUnjudged = (sql: Sql, now: Date) =>
  on(sql, (database): { id: bigint }[] =>
    [...database.tables.lookups.values()].flatMap((lookup) => {
      const { kind, state, deadlineAt, sentAt } = lookup
      if (!intentKinds.includes(kind) || state !== 'sending') return []
      const latest = Math.max(deadlineAt.getTime(), sentAt!.getTime())
      if (latest >= now.getTime() - 60_000) return []
      changeLookup(database, lookup, {
        state: 'unknown_outcome',
        charged: 'unknown',
        refusedAs: null,
        finishedAt: now,
        dueAt: null,
        message: lookup.message ?? ['lost_unknown'],
      })
      return [{ id: lookup.id }]
    }),
  )
