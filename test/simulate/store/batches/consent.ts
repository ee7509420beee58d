import type { Sql } from '../../../../src/store/connect.ts'
import { on } from '../handle.ts'
import type { BatchRecord } from '../tables.ts'

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
