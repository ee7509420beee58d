import type { Sql } from '../../../../src/store/connect.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { byId, rowOutcome } from '../rules.ts'
import type { BatchRecord } from '../tables.ts'

export const countEnded = (sql: Sql, ids: bigint[]): Promise<bigint[]> =>
  on(sql, (database) => countRows(database, ids))

/** Adds look-ups that just ended to the counts of every counted batch that has rows of them. */
export const countRows = (database: ModelDatabase, ids: bigint[]): bigint[] => {
  if (ids.length === 0) return []
  const { rows, batches, lookups, counts } = database.tables
  const ended = new Set(ids)
  return [...batches.values()].sort(byId).flatMap((batch) => {
    const met = (rows.get(batch.id) ?? []).filter(({ lookupId }) => ended.has(lookupId))
    if (met.length === 0 || !batch.counted) return []
    const known = new Map(counts.get(batch.id))
    for (const { lookupId, cancelled } of met) {
      if (cancelled) continue
      const { state } = lookups.get(lookupId)!
      known.set(state, (known.get(state) ?? 0) + 1)
    }
    database.put(counts, batch.id, known)
    return [batch.id]
  })
}

const mayFinish = (b: BatchRecord): boolean =>
  b.finishedAt === null && b.counted && (b.state === 'running' || b.state === 'cancelled') && b.hasFile

const isCounted = ({ tables }: ModelDatabase, b: BatchRecord): boolean =>
  b.rows === [...(tables.counts.get(b.id)?.values() ?? [])].reduce((sum, rows) => sum + rows, 0)

export const findComplete = (sql: Sql, ids: bigint[] | null): Promise<bigint[]> =>
  on(sql, (database) =>
    [...database.tables.batches.values()]
      .filter((b) => (!ids || ids.includes(b.id)) && mayFinish(b) && isCounted(database, b))
      .map(({ id }) => id),
  )

export const recount = (sql: Sql, batchId: bigint, now: Date): Promise<bigint[]> =>
  on(sql, (database) => {
    const { rows, lookups, counts, batches } = database.tables
    const fresh = new Map<string, number>()
    for (const row of rows.get(batchId) ?? []) {
      const outcome = rowOutcome(row, lookups.get(row.lookupId)!)
      if (outcome !== 'pending') fresh.set(outcome, (fresh.get(outcome) ?? 0) + 1)
    }
    database.put(counts, batchId, fresh)
    database.set(batches.get(batchId)!, { counted: true })
    return finish(database, [batchId], now)
  })

export const finishBatches = (sql: Sql, ids: bigint[], now: Date): Promise<bigint[]> =>
  on(sql, (database) => finish(database, ids, now))

const finish = (database: ModelDatabase, ids: bigint[], now: Date): bigint[] =>
  ids.filter((id) => {
    const b = database.tables.batches.get(id)
    if (!b || !mayFinish(b) || !isCounted(database, b)) return false
    const ended = b.rows > 0 && b.rejected === b.rows ? 'rejected' : 'done'
    database.set(b, { finishedAt: now, state: b.state === 'running' ? ended : b.state })
    return true
  })

export const countsOf = (sql: Sql, batchId: bigint): Promise<Record<string, number>> =>
  on(sql, ({ tables }) =>
    Object.fromEntries([...(tables.counts.get(batchId) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))),
  )

export const findUncountedBatches = (sql: Sql) =>
  on(sql, ({ tables }) =>
    [...tables.batches.values()]
      .filter(mayFinish)
      .filter(({ id }) =>
        (tables.rows.get(id) ?? []).every(
          ({ cancelled, lookupId }) => cancelled || tables.lookups.get(lookupId)!.finishedAt !== null,
        ),
      )
      .sort(byId)
      .map(({ id }) => ({ id })),
  )
