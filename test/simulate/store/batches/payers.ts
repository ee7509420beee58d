import { spendingKinds } from '../../../../src/domain/kind.ts'
import type { PayerScope } from '../../../../src/store/batches/payers.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import { changeLookup } from '../change-lookup.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { byId, goesOn, mayPay, maySpend } from '../rules.ts'
import type { BatchRecord, LookupRecord, RowRecord } from '../tables.ts'
import { needsApproval } from './batch-actions.ts'

export const assignPayers = (
  sql: Sql,
  scope: PayerScope | null = null,
  deadlineAt: Date | null = null,
): Promise<number> => on(sql, (database) => assignIn(database, scope, deadlineAt))

/** The function `assign_payers` of sql/, in its steps. */
const assignIn = (database: ModelDatabase, scope: PayerScope | null, deadlineAt: Date | null): number => {
  const { batches, lookups } = database.tables
  const unapproved = new Set<bigint>()
  const owed = new Map<bigint, number>()
  const owe = (id: bigint, units: number): void => void owed.set(id, (owed.get(id) ?? 0) + units)
  let transfers = 0
  for (let locked = lockedBy(database, scope); locked.length > 0; ) {
    for (const lookup of locked) {
      const payer = lookup.batchId
      if (!moveOne(database, lookup, unapproved, deadlineAt)) continue
      transfers++
      owe(payer, -1)
      owe(lookup.batchId, 1)
    }
    const newly = [...owed].flatMap(([id, units]) => {
      const b = batches.get(id)
      if (b?.state !== 'running' || units <= 0 || unapproved.has(id) || !spendingKinds.includes(b.kind)) return []
      return needsApproval(b, b.toBePaid + units, b.maxSpend) ? [id] : []
    })
    for (const id of newly) unapproved.add(id)
    locked = [...lookups.values()].filter(({ state, batchId }) => state === 'queued' && newly.includes(batchId))
  }
  for (const [id, units] of owed) {
    const b = batches.get(id)
    if (!b || !spendingKinds.includes(b.kind)) continue
    const state = b.state === 'running' && unapproved.has(id) ? 'unconfirmed' : b.state
    database.set(b, { toBePaid: Math.max(b.toBePaid + units, 0), state })
  }
  return transfers
}

const lockedBy = (database: ModelDatabase, scope: PayerScope | null): LookupRecord[] => {
  const { batches, lookups, rows } = database.tables
  const queued = [...lookups.values()].filter(({ state }) => state === 'queued')
  if (!scope) return queued.filter(({ batchId }) => batches.get(batchId)?.finishedAt === null)
  if ('lookups' in scope) return queued.filter(({ id }) => scope.lookups.includes(id))
  if (!mayPay(batches.get(scope.batch))) return queued.filter(({ batchId }) => batchId === scope.batch)
  const wanted = new Set((rows.get(scope.batch) ?? []).flatMap((row) => (row.cancelled ? [] : [row.lookupId])))
  return queued.filter(({ id }) => wanted.has(id) || isWish(database, scope.batch, id))
}

/** Whether a sweep that runs wants a look-up, and this batch would pay for it: view `sweep_wish`. */
const isWish = ({ tables }: ModelDatabase, batchId: bigint, lookupId: bigint): boolean => {
  const { sweepId, organizationId, kind } = tables.batches.get(batchId)!
  if (sweepId === null || tables.sweeps.get(sweepId)?.state !== 'running') return false
  return [...tables.radarSnapshots.values()].some(
    (s) =>
      s.sweepId === sweepId &&
      s.organizationId === organizationId &&
      (kind === 'processes' ? s.processesLookupId : s.analysisLookupId) === lookupId,
  )
}

/** Gives a look-up whose batch may not pay to the best that wants it; false if it stays. */
const moveOne = (
  database: ModelDatabase,
  lookup: LookupRecord,
  unapproved: Set<bigint>,
  deadlineAt: Date | null,
): boolean => {
  const { batches, rows, intents } = database.tables
  const payer = batches.get(lookup.batchId)
  if (intents.has(lookup.id) || (mayPay(payer) && !unapproved.has(lookup.batchId))) return false
  const hasEnded = !payer || payer.finishedAt !== null || payer.state === 'cancelled'
  const goesOnStill = (b: BatchRecord): boolean => goesOn(b) && !unapproved.has(b.id)
  const wanted = [...batches.values()].flatMap((b): [BatchRecord, RowRecord | null][] => {
    if (b.id === lookup.batchId || b.finishedAt || b.state === 'cancelled') return []
    if (!hasEnded && !(goesOnStill(b) && maySpend(b))) return []
    const own = (rows.get(b.id) ?? []).filter((row) => row.lookupId === lookup.id && !row.cancelled)
    const [first] = own.sort((x, y) => Number(y.pays) - Number(x.pays) || x.line - y.line)
    return first || isWish(database, b.id, lookup.id) ? [[b, first ?? null]] : []
  })
  const [best] = wanted.sort(
    ([a], [b]) =>
      Number(maySpend(b)) - Number(maySpend(a)) || Number(goesOnStill(b)) - Number(goesOnStill(a)) || byId(a, b),
  )
  if (!best) return false
  const later = deadlineAt && deadlineAt > lookup.deadlineAt ? deadlineAt : lookup.deadlineAt
  changeLookup(database, lookup, { batchId: best[0].id, deadlineAt: later })
  if (best[1]) database.set(best[1], { pays: true })
  return true
}

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
