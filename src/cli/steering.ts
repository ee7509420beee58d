import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import { exportQueue } from '../batches/queues.ts'
import { batchOrRefuse, type Steering } from '../batches/steer.ts'
import type { Boss } from '../queue/boss.ts'
import { openSender } from '../queue/sender.ts'
import { createQueues, enqueue } from '../queue/start-jobs.ts'
import type { Batch } from '../store/batches.ts'
import type { Opened } from './open.ts'
import { whoCalls } from './who.ts'

/** Opens the queues for a command that only puts something in. */
export async function openQueues({ databaseUrl, log }: Opened): Promise<AsyncDisposable & { boss: Boss }> {
  const sender = await openSender(databaseUrl, log)
  await createQueues(sender.boss, lookupJobs, batchJobs)
  return sender
}

/** What steering a batch needs; the queues are opened only if a batch is finished by it. */
export async function openSteering(
  opened: Opened,
  id: bigint,
): Promise<AsyncDisposable & { steering: Steering; batch: Batch }> {
  const batch = await batchOrRefuse(opened.sql, id)
  await using stack = new AsyncDisposableStack()
  let queues: Promise<AsyncDisposable & { boss: Boss }> | undefined
  stack.defer(async () => (await queues)?.[Symbol.asyncDispose]())
  const steering: Steering = {
    by: whoCalls(),
    now: new Date(),
    deadlineMs: opened.settings.forKind[batch.kind].polling.deadline,
    async finished(tx, batchIds) {
      if (batchIds.length === 0) return
      queues ??= openQueues(opened)
      const { boss } = await queues
      for (const batchId of batchIds) await enqueue(boss, exportQueue, { batchId: String(batchId) }, tx)
    },
  }
  const held = stack.move()
  return { steering, batch, [Symbol.asyncDispose]: () => held.disposeAsync() }
}
