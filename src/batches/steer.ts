import { recordAudit } from '../store/audit.ts'
import { type Batch, moveBatch, readBatch, renewDeadlines, setPaused } from '../store/batches.ts'
import type { Database, Sql } from '../store/connect.ts'
import { finishBatches, recount } from '../store/counts.ts'
import { cancelQueued, handOver, leaveShared } from '../store/steering.ts'
import { BatchRefusal } from './batch-refusal.ts'

/** What steering needs beside the database: who speaks, the time, and how long a look-up may take from now. */
export type Steering = {
  by: string
  now: Date
  deadlineMs: number
  /** Called in the transaction that finished the batch. */
  finished: (tx: Sql, batchIds: bigint[]) => Promise<void>
}

export const batchOrRefuse = async (sql: Sql, id: bigint): Promise<Batch> => {
  const batch = await readBatch(sql, id)
  if (!batch) throw new BatchRefusal(`There is no batch ${id}: 'vigia batches' lists them`)
  return batch
}

/** A batch above the limit for asking first may now spend. */
export const confirmBatch = (sql: Database, id: bigint, steering: Steering) =>
  sql.begin(async (tx) => {
    const batch = await batchOrRefuse(tx, id)
    if (!(await moveBatch(tx, id, ['unconfirmed'], 'running', steering.now))) {
      throw new BatchRefusal(`Batch ${id} is ${batch.state}, it waits for no confirmation`)
    }
    await renewDeadlines(tx, id, new Date(steering.now.getTime() + steering.deadlineMs))
    await steering.finished(tx, await finishBatches(tx, [id], steering.now))
    await recordAudit(tx, steering.by, 'confirm', `batch ${id}`, { toBePaid: batch.toBePaid })
  })

/** Nothing new is asked from now on; what was paid for is still fetched. */
export const pauseBatch = async (sql: Database, id: bigint, steering: Steering): Promise<void> => {
  const batch = await batchOrRefuse(sql, id)
  if (!(await setPaused(sql, id, steering.now))) throw new BatchRefusal(cannot('paused', batch))
  await handOver(sql, id)
  await recordAudit(sql, steering.by, 'pause', `batch ${id}`)
}

export const resumeBatch = async (sql: Database, id: bigint, steering: Steering): Promise<void> => {
  const batch = await batchOrRefuse(sql, id)
  if (!batch.pausedAt || batch.finishedAt) throw new BatchRefusal(`Batch ${id} is not paused, it is ${batch.state}`)
  await renewDeadlines(sql, id, new Date(steering.now.getTime() + steering.deadlineMs))
  await setPaused(sql, id, null)
  await recordAudit(sql, steering.by, 'resume', `batch ${id}`)
}

/** What was not asked yet never will be, for this batch; what was paid for is still fetched, and reported. */
export const cancelBatch = async (sql: Database, id: bigint, steering: Steering): Promise<void> => {
  const batch = await batchOrRefuse(sql, id)
  const moved = await moveBatch(sql, id, ['importing', 'unconfirmed', 'running'], 'cancelled', steering.now)
  if (!moved) throw new BatchRefusal(cannot('cancelled', batch))
  await sql.begin(async (tx) => {
    await handOver(tx, id)
    await cancelQueued(tx, id, steering.now)
    await leaveShared(tx, id)
    await steering.finished(tx, await recount(tx, id, steering.now))
    await recordAudit(tx, steering.by, 'cancel', `batch ${id}`)
  })
}

const cannot = (what: string, { id, state, pausedAt, finishedAt }: Batch): string =>
  finishedAt ? `Batch ${id} cannot be ${what}: it is ${state}` : `Batch ${id} already is ${pausedAt ? 'paused' : state}`
