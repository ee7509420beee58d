import { withinLimit } from '../domain/amount.ts'
import type { Message } from '../messages/message.ts'
import {
  confirmSpending,
  renewDeadlines,
  runConfirmed,
  setCancelled,
  setPaused,
} from '../store/batches/batch-actions.ts'
import type { Batch } from '../store/batches/batches.ts'
import { finishBatches, recount } from '../store/batches/counts.ts'
import { assignPayers, cancelQueued, leaveShared } from '../store/batches/payers.ts'
import type { Database, Sql } from '../store/connect.ts'
import { tryLaneWithNew } from '../store/fleet/lanes.ts'
import { recordAudit } from '../store/people/audit.ts'
import { BatchRefusal, batchOrRefuse, refuseAbove } from './batch-or-refuse.ts'

/** What an action on a batch needs beside the database: who acts, the time, and how long a look-up may take from now. */
export type Steering = {
  by: string
  now: Date
  deadlineMs: number
  /** Called in the transaction that finished the batch. */
  finished: (tx: Sql, batchIds: bigint[]) => Promise<void>
}

/** Approves a batch above the approval threshold, so that it may spend. `atMost` is the cost that was shown. */
export const confirmBatch = (sql: Database, id: bigint, steering: Steering & { atMost?: number }) =>
  sql.begin(async (tx) => {
    const isConfirmed = await runConfirmed(tx, id, steering.now)
    const batch = await batchOrRefuse(tx, id)
    if (!isConfirmed) throw new BatchRefusal(['not_unconfirmed', id, batch.state])
    refuseAbove(steering.atMost, id, withinLimit(batch.toBePaid, batch.maxSpend))
    await confirmSpending(tx, id)
    await tryLaneWithNew(tx, batch, steering.now)
    await assignPayers(tx, { batch: id })
    await renewDeadlines(tx, id, new Date(steering.now.getTime() + steering.deadlineMs))
    await steering.finished(tx, await finishBatches(tx, [id], steering.now))
    await recordAudit(tx, steering.by, 'confirm', `batch ${id}`, { toBePaid: batch.toBePaid })
  })

/** Nothing new is asked from now on. Paid look-ups are still fetched. */
export const pauseBatch = async (sql: Database, id: bigint, steering: Steering): Promise<void> => {
  const batch = await batchOrRefuse(sql, id)
  if (!(await setPaused(sql, id, steering.now))) throw new BatchRefusal(cannot('paused', batch))
  await assignPayers(sql, { batch: id })
  await recordAudit(sql, steering.by, 'pause', `batch ${id}`)
}

export const resumeBatch = async (sql: Database, id: bigint, steering: Steering): Promise<void> => {
  const batch = await batchOrRefuse(sql, id)
  await sql.begin(async (tx) => {
    const resumed = await setPaused(tx, id, null)
    if (!resumed) throw new BatchRefusal(['not_paused', id, batch.state])
    await assignPayers(tx, { batch: id })
    await renewDeadlines(tx, id, new Date(steering.now.getTime() + steering.deadlineMs))
    await recordAudit(tx, steering.by, 'resume', `batch ${id}`)
  })
}

/**
 * What was not asked yet is never asked for this batch. Paid look-ups are still fetched and reported.
 *
 * Every row comes back, so the import of a batch runs to its end before the batch is cancelled.
 */
export const cancelBatch = async (sql: Database, id: bigint, steering: Steering): Promise<void> => {
  const batch = await batchOrRefuse(sql, id)
  if (!(await setCancelled(sql, id))) throw new BatchRefusal(cannot('cancelled', batch))
  await recordAudit(sql, steering.by, 'cancel', `batch ${id}`)
  const { importedAt } = await batchOrRefuse(sql, id)
  if (importedAt) await sql.begin(async (tx) => steering.finished(tx, await endCancelled(tx, id, steering.now)))
}

/** Ends the rows of a cancelled batch that wait for nothing that it paid for. Returns the batches that this finished. */
export const endCancelled = async (tx: Sql, id: bigint, now: Date): Promise<bigint[]> => {
  await assignPayers(tx, { batch: id })
  await cancelQueued(tx, id, now)
  await leaveShared(tx, id)
  return recount(tx, id, now)
}

const cannot = (what: 'paused' | 'cancelled', { id, shown, finishedAt }: Batch): Message =>
  finishedAt ? ['batch_over', id, what, shown] : ['batch_already', id, shown]
