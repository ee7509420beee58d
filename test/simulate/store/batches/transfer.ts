import { spendingKinds } from '../../../../src/domain/kind.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import { changeLookup } from '../change-lookup.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { byId, goesOn } from '../rules.ts'
import type { BatchRecord, LookupRecord, RowRecord } from '../tables.ts'
import { needsApproval } from './consent.ts'

type Transfer = { to?: 'active' | 'any'; only?: bigint[] | null }

export const transferLookups = async (sql: Sql, batchId: bigint, transfer: Transfer = {}): Promise<void> =>
  on(sql, (database) => transferIn(database, batchId, transfer))

const transferIn = (database: ModelDatabase, batchId: bigint, { to = 'active', only = null }: Transfer): void => {
  const { lookups, intents, batches } = database.tables
  const queued = [...lookups.values()].filter(
    (l) => l.batchId === batchId && l.state === 'queued' && (!only || only.includes(l.id)) && !intents.has(l.id),
  )
  const owed = new Map<bigint, number>()
  for (const lookup of queued) {
    const heir = heirOf(database, lookup, to)
    if (!heir) continue
    changeLookup(database, lookup, { batchId: heir.batchId })
    database.set(heir, { pays: true })
    owed.set(heir.batchId, (owed.get(heir.batchId) ?? 0) + 1)
  }
  const moved = [...owed.values()].reduce((sum, units) => sum + units, 0)
  if (moved > 0) owed.set(batchId, (owed.get(batchId) ?? 0) - moved)
  const waiting = [...owed].flatMap(([id, units]) => {
    const batch = batches.get(id)
    return batch && owe(database, batch, units) && id !== batchId ? [id] : []
  })
  for (const id of waiting) transferIn(database, id, {})
}

/** The row whose batch continues with the look-up: one that runs and may spend, or any other that wants it. */
const heirOf = ({ tables }: ModelDatabase, lookup: LookupRecord, to: 'active' | 'any'): RowRecord | null => {
  const candidates = [...tables.batches.values()].flatMap((batch) => {
    if (batch.id === lookup.batchId || batch.finishedAt || batch.state === 'cancelled') return []
    if (to === 'active' && !(goesOn(batch) && maySpend(batch))) return []
    const rows = (tables.rows.get(batch.id) ?? []).filter((row) => row.lookupId === lookup.id && !row.cancelled)
    return rows.map((row) => ({ row, rank: [!maySpend(batch), !goesOn(batch)].map(Number) as [number, number] }))
  })
  candidates.sort(
    (a, b) =>
      a.rank[0] - b.rank[0] ||
      a.rank[1] - b.rank[1] ||
      Number(a.row.batchId - b.row.batchId) ||
      a.row.line - b.row.line,
  )
  return candidates[0]?.row ?? null
}

/** True where the batch waits for approval now. */
const owe = (database: ModelDatabase, batch: BatchRecord, units: number): boolean => {
  if (!spendingKinds.includes(batch.kind)) return false
  const waits = batch.state === 'running' && units > 0 && needsApproval(batch, batch.toBePaid + units, batch.maxSpend)
  const state = waits ? 'unconfirmed' : batch.state
  database.set(batch, { toBePaid: Math.max(batch.toBePaid + units, 0), state })
  return state === 'unconfirmed'
}

const maySpend = (b: BatchRecord): boolean => b.maxSpend === null || b.spent < b.maxSpend

export const takeOver = async (sql: Sql, batchId: bigint): Promise<void> =>
  on(sql, (database) => {
    const { batches, lookups, rows } = database.tables
    const wanted = (rows.get(batchId) ?? []).flatMap(({ cancelled, lookupId }) => {
      const lookup = lookups.get(lookupId)
      return !cancelled && lookup?.state === 'queued' ? [lookup.batchId] : []
    })
    const still = [...new Set(wanted)]
      .flatMap((id) => batches.get(id) ?? [])
      .filter((b) => b.id !== batchId && !goesOn(b))
      .sort(byId)
    for (const { id } of still) transferIn(database, id, {})
  })

export const findUnshared = (sql: Sql) =>
  on(sql, ({ tables }): { id: bigint }[] =>
    [...tables.batches.values()]
      .filter((s) => s.finishedAt === null && !goesOn(s))
      .filter((s) =>
        [...tables.batches.values()].some(
          (b) =>
            b.finishedAt === null &&
            goesOn(b) &&
            maySpend(b) &&
            (tables.rows.get(b.id) ?? []).some(({ cancelled, lookupId }) => {
              const l = tables.lookups.get(lookupId)
              return !cancelled && l?.batchId === s.id && l.state === 'queued' && !tables.intents.has(l.id)
            }),
        ),
      )
      .sort(byId)
      .map(({ id }) => ({ id })),
  )

export const findHalfCancelled = (sql: Sql) =>
  on(sql, ({ tables }): { id: bigint }[] =>
    [...tables.batches.values()]
      .filter((b) => b.finishedAt === null && b.state === 'cancelled' && b.importedAt !== null)
      .filter((b) =>
        (tables.rows.get(b.id) ?? []).some(({ cancelled, lookupId }) => {
          const l = tables.lookups.get(lookupId)!
          const isUnsent = l.state === 'queued' && !tables.intents.has(l.id)
          return !cancelled && l.finishedAt === null && (isUnsent || l.batchId !== b.id)
        }),
      )
      .sort(byId)
      .map(({ id }) => ({ id })),
  )

export const cancelQueued = (sql: Sql, batchId: bigint, now: Date) =>
  on(sql, (database) => {
    for (const l of database.tables.lookups.values()) {
      if (l.batchId !== batchId || l.state !== 'queued' || database.tables.intents.has(l.id)) continue
      changeLookup(database, l, { state: 'cancelled', finishedAt: now, dueAt: null })
    }
    return []
  })

export const leaveShared = (sql: Sql, batchId: bigint) =>
  on(sql, (database) => {
    for (const row of database.tables.rows.get(batchId) ?? []) {
      const l = database.tables.lookups.get(row.lookupId)!
      if (l.finishedAt === null && l.batchId !== batchId) database.set(row, { cancelled: true })
    }
    return []
  })
