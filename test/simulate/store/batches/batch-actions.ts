import { type SteeringVerb, takesAction } from '../../../../src/domain/batch.ts'
import type { Sql, Transaction } from '../../../../src/store/connect.ts'
import { changeLookup } from '../change-lookup.ts'
import { on } from '../handle.ts'
import { isPaused } from '../rules.ts'
import type { BatchRecord } from '../tables.ts'

export const lockBatch = (tx: Transaction, _id: bigint) => on(tx, () => [])

const takes = (verb: SteeringVerb, b: BatchRecord): boolean =>
  takesAction(verb, { state: b.state, shown: isPaused(b) ? 'paused' : b.state })

export const runConfirmed = async (sql: Sql, id: bigint, now: Date): Promise<boolean> =>
  on(sql, (database) => {
    const b = database.tables.batches.get(id)
    if (!b || !takes('confirm', b)) return false
    database.set(b, { state: 'running', startedAt: b.startedAt ?? now })
    return true
  })

export const setCancelled = async (sql: Sql, id: bigint): Promise<boolean> =>
  on(sql, (database) => {
    const b = database.tables.batches.get(id)
    if (!b || !takes('cancel', b)) return false
    database.set(b, { state: 'cancelled', current: false, pausedAt: null })
    return true
  })

export const setPaused = async (sql: Sql, id: bigint, pausedAt: Date | null): Promise<boolean> =>
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
