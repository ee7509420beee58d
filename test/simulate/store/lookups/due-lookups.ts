import type { Sql } from '../../../../src/store/connect.ts'
import type { DueBatch, DueLookup, LookupStep, Quota } from '../../../../src/store/lookups/due-lookups.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { byId, holdIsTriedBy, holdStops, laneKey, mayAsk } from '../rules.ts'
import type { LookupRecord } from '../tables.ts'
import { claimedIn } from './claims.ts'

export const hasOpenBatch = async (sql: Sql): Promise<boolean> =>
  on(sql, ({ tables }) => [...tables.batches.values()].some(({ finishedAt }) => finishedAt === null))

export const findDueBatches = (sql: Sql, steps: LookupStep[], now: Date) =>
  on(sql, (database): DueBatch[] => {
    const { batches, lanes } = database.tables
    const due = dueBy(database, now)
    if (due.size === 0) return []
    return [...batches.values()].sort(byId).flatMap((batch) => {
      if (batch.finishedAt) return []
      return steps.flatMap(({ kind, state, mostRows }): DueBatch[] => {
        if (kind !== batch.kind || (state === 'queued' && !mayAsk(batch))) return []
        if (!due.has(`${batch.id} ${state}`)) return []
        const held = lanes.get(laneKey(batch))
        const lane = held && holdStops(held.cause, state) ? held : undefined
        const isDue = lane
          ? lane.trialAt !== null && lane.trialAt <= now && holdIsTriedBy(lane.cause, state)
          : batch.rows <= mostRows
        if (!isDue) return []
        const organizationId = BigInt(batch.organizationId)
        return [{ batchId: batch.id, rows: batch.rows, organizationId, kind, state, trial: lane !== undefined }]
      })
    })
  })

/** Due look-ups that nobody has claimed, by their batch and state. */
const dueBy = (database: ModelDatabase, now: Date): Map<string, LookupRecord[]> => {
  const due = new Map<string, LookupRecord[]>()
  if (database.known('first due', () => firstDue(database)) > now.getTime()) return due
  const isClaimed = claimedIn(database)
  for (const lookup of database.tables.lookups.values()) {
    if (lookup.dueAt === null || lookup.dueAt > now || isClaimed(lookup.id, lookup.state)) continue
    const key = `${lookup.batchId} ${lookup.state}`
    const group = due.get(key)
    if (group) group.push(lookup)
    else due.set(key, [lookup])
  }
  return due
}

const firstDue = ({ tables }: ModelDatabase): number => {
  let first = Number.POSITIVE_INFINITY
  for (const { dueAt } of tables.lookups.values()) if (dueAt && dueAt.getTime() < first) first = dueAt.getTime()
  return first
}

const byDue = (a: LookupRecord, b: LookupRecord): number => a.dueAt!.getTime() - b.dueAt!.getTime() || byId(a, b)

const dueLookup = (lookup: LookupRecord, now: Date): DueLookup => ({
  id: lookup.id,
  batchId: lookup.batchId,
  organizationId: BigInt(lookup.organizationId),
  kind: lookup.kind,
  state: lookup.state as DueLookup['state'],
  workerDeaths: lookup.workerDeaths,
  isLate: lookup.state === 'queued' && lookup.deadlineAt <= now,
})

export const findDueLookups = (sql: Sql, quotas: Quota[], now: Date) =>
  on(sql, (database): DueLookup[] => {
    const due = dueBy(database, now)
    return quotas.flatMap(({ batchId, kind, state, take }) =>
      (due.get(`${batchId} ${state}`) ?? [])
        .filter((lookup) => lookup.kind === kind)
        .sort(byDue)
        .slice(0, take)
        .map((lookup) => dueLookup(lookup, now)),
    )
  })

export const findTrialLookups = (sql: Sql, quotas: Quota[], now: Date) =>
  on(sql, (database): DueLookup[] => {
    const due = dueBy(database, now)
    const found = quotas.flatMap(({ batchId, kind, state }) => {
      const group = (due.get(`${batchId} ${state}`) ?? []).filter((lookup) => lookup.kind === kind).sort(byDue)
      return [...group.filter(({ attempts }) => attempts === 0).slice(0, 1), ...group.slice(0, 1)]
    })
    return found
      .sort((a, b) => Number(a.attempts > 0) - Number(b.attempts > 0) || a.dueAt!.getTime() - b.dueAt!.getTime())
      .map((lookup) => dueLookup(lookup, now))
  })
