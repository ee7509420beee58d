import type { Sql } from '../../../../src/store/connect.ts'
import type { DueBatch, DueLookup, LookupStep, Quota } from '../../../../src/store/lookups/due-lookups.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { byId, holdIsTriedBy, holdStops, laneKey, mayAsk } from '../rules.ts'
import type { LookupRecord } from '../tables.ts'
import { claimedIn } from './claims.ts'

export const hasOpenBatch = (sql: Sql): Promise<boolean> =>
  on(sql, ({ tables }) => [...tables.batches.values()].some(({ finishedAt }) => finishedAt === null))

export const findDueBatches = (sql: Sql, steps: LookupStep[], now: Date) =>
  on(sql, (database): DueBatch[] => {
    const { batches, lanes } = database.tables
    const due = dueBy(database, now)
    if (due.size === 0) return []
    const found: DueBatch[] = []
    for (const batch of [...batches.values()].sort(byId)) {
      const ofBatch = due.get(batch.id)
      if (batch.finishedAt || !ofBatch) continue
      for (const { kind, state, mostRows } of steps) {
        if (kind !== batch.kind || (state === 'queued' && !mayAsk(batch)) || !ofBatch[state]) continue
        const held = lanes.get(laneKey(batch))
        const lane = held && holdStops(held.cause, state) ? held : undefined
        const isDue = lane
          ? lane.trialAt !== null && lane.trialAt <= now && holdIsTriedBy(lane.cause, state)
          : batch.rows <= mostRows
        if (!isDue) continue
        const organizationId = BigInt(batch.organizationId)
        found.push({ batchId: batch.id, rows: batch.rows, organizationId, kind, state, trial: lane !== undefined })
      }
    }
    return found
  })

/** Due look-ups that nobody has claimed, by their batch and state. */
const dueBy = (database: ModelDatabase, now: Date): Due => {
  const free = database.known('unclaimed', () => unclaimed(database))
  const until = now.getTime()
  if (free.due && free.since <= until && until < free.until) return free.due
  const due: Due = new Map()
  free.since = until
  free.until = Number.POSITIVE_INFINITY
  for (const lookup of free.lookups) {
    const at = lookup.dueAt!.getTime()
    if (at > until) {
      free.until = Math.min(free.until, at)
      continue
    }
    const ofBatch = due.get(lookup.batchId) ?? {}
    due.set(lookup.batchId, ofBatch)
    const group = ofBatch[lookup.state] ?? []
    ofBatch[lookup.state] = group
    group.push(lookup)
  }
  free.due = due
  return due
}

type Due = Map<bigint, Partial<Record<string, LookupRecord[]>>>

/** What may be due some day; `due` is right from one moment until another. */
type Unclaimed = { lookups: LookupRecord[]; due: Due | null; since: number; until: number }

const unclaimed = (database: ModelDatabase): Unclaimed => {
  const isClaimed = claimedIn(database)
  const lookups: LookupRecord[] = []
  for (const lookup of database.tables.lookups.values()) {
    if (lookup.dueAt !== null && !isClaimed(lookup.id, lookup.state)) lookups.push(lookup)
  }
  return { lookups, due: null, since: 0, until: 0 }
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
      (due.get(batchId)?.[state] ?? [])
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
      const group = (due.get(batchId)?.[state] ?? []).filter((lookup) => lookup.kind === kind).sort(byDue)
      return [...group.filter(({ attempts }) => attempts === 0).slice(0, 1), ...group.slice(0, 1)]
    })
    return found
      .sort((a, b) => Number(a.attempts > 0) - Number(b.attempts > 0) || a.dueAt!.getTime() - b.dueAt!.getTime())
      .map((lookup) => dueLookup(lookup, now))
  })
