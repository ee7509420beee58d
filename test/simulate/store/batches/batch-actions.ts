import { type SteeringVerb, takesAction } from '../../../../src/domain/batch.ts'
import type { Sql, Transaction } from '../../../../src/store/connect.ts'
import { changeLookup } from '../change-lookup.ts'
import { on } from '../handle.ts'
import { isPaused } from '../rules.ts'
import type { BatchRecord } from '../tables.ts'

export const lockBatch = (tx: Transaction, _id: bigint) => on(tx, () => [])

const takes = (verb: SteeringVerb, b: BatchRecord): boolean =>
  takesAction(verb, { state: b.state, shown: isPaused(b) ? 'paused' : b.state })

export const runConfirmed = (sql: Sql, id: bigint, now: Date): Promise<boolean> =>
  on(sql, (database) => {
    const b = database.tables.batches.get(id)
    if (!b || !takes('confirm', b)) return false
    database.set(b, { state: 'running', startedAt: b.startedAt ?? now })
    return true
  })

export const setCancelled = (sql: Sql, id: bigint): Promise<boolean> =>
  on(sql, (database) => {
    const b = database.tables.batches.get(id)
    if (!b || !takes('cancel', b)) return false
    database.set(b, { state: 'cancelled', current: false, pausedAt: null })
    return true
  })

export const setPaused = (sql: Sql, id: bigint, pausedAt: Date | null): Promise<boolean> =>
  on(sql, (database) => {
    const b = database.tables.batches.get(id)
    if (!b || b.finishedAt || !takes(pausedAt ? 'pause' : 'resume', b)) return false
    database.set(b, { pausedAt })
    return true
  })

export const renewDeadlines = (sql: Sql, batchId: bigint, deadlineAt: Date) =>
  on(sql, (database) => {
    for (const l of database.tables.lookups.values()) {
      if (l.batchId !== batchId || l.state !== 'queued' || l.deadlineAt >= deadlineAt) continue
      changeLookup(database, l, { deadlineAt })
    }
    return []
  })

/** As `least` of PostgreSQL: a null is no candidate. */
export const least = (one: number, other: number | null): number => (other === null ? one : Math.min(one, other))

export const needsApproval = ({ confirmAbove }: BatchRecord, toBePaid: number, limit: number | null): boolean =>
  confirmAbove !== null && least(toBePaid, limit) > confirmAbove

export const confirmSpending = (sql: Sql, id: bigint) =>
  on(sql, (database) => {
    const b = database.tables.batches.get(id)
    if (b) database.set(b, { confirmAbove: Math.max(b.confirmAbove ?? -Infinity, least(b.toBePaid, b.maxSpend)) })
    return []
  })

export const setMaxSpend = (sql: Sql, id: bigint, maxSpend: number | null) =>
  on(sql, (database): { id: bigint }[] => {
    const b = database.tables.batches.get(id)
    if (!b || (maxSpend !== null && b.spent > maxSpend)) return []
    const isMore = least(b.toBePaid, maxSpend) > least(b.toBePaid, b.maxSpend)
    const waits = b.state === 'running' && needsApproval(b, b.toBePaid, maxSpend) && isMore
    const state = waits ? 'unconfirmed' : b.state
    database.set(b, { maxSpend, state })
    return [{ id }]
  })
