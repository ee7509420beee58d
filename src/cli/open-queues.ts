import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import { batchOrRefuse } from '../batches/batch-or-refuse.ts'
import type { Steering } from '../batches/pause-resume-cancel.ts'
import type { Kind } from '../domain/kind.ts'
import type { Context } from '../operations/context.ts'
import type { Boss } from '../queue/boss.ts'
import { openSender } from '../queue/boss.ts'
import { exportQueue } from '../queue/queues.ts'
import { createQueues, enqueue } from '../queue/start-jobs.ts'
import type { Batch } from '../store/batches/batches.ts'
import { whoCalls } from './context.ts'
import type { OpenInstallation } from './open.ts'
import { organizationsOf } from './options.ts'

/** Opens the queues for a command that only enqueues jobs. */
export const openQueues = async ({ databaseUrl, log }: OpenInstallation): Promise<AsyncDisposable & { boss: Boss }> => {
  const sender = await openSender(databaseUrl, log)
  await createQueues(sender.boss, lookupJobs, batchJobs)
  return sender
}

/** Opens what an action on a batch needs; the queues are opened only if the action finishes a batch. */
export const openSteering = async (
  opened: OpenInstallation,
  id: bigint,
): Promise<AsyncDisposable & { steering: Steering; batch: Batch }> => {
  const batch = await batchOrRefuse(opened.sql, id)
  const { steering, [Symbol.asyncDispose]: dispose } = await openSteeringOf(opened, batch.kind)
  return { steering, batch, [Symbol.asyncDispose]: dispose }
}

/** The same for a kind, where there is no batch. */
export const openSteeringOf = async (
  opened: OpenInstallation,
  kind: Kind,
): Promise<AsyncDisposable & { steering: Steering }> => {
  const { context, ...acting } = openActing(opened)
  const deadlineMs = opened.settings.forKind[kind].polling.deadline
  return { ...acting, steering: { by: context.by, now: opened.clock(), deadlineMs, finished: context.finished } }
}

/** What an operation works with on the command line; the queues are opened only if the operation finishes a batch. */
export const openActing = (opened: OpenInstallation): AsyncDisposable & { context: Context } => {
  const stack = new AsyncDisposableStack()
  let queues: Promise<AsyncDisposable & { boss: Boss }> | undefined
  stack.defer(async () => (await queues)?.[Symbol.asyncDispose]())
  const { sql, clock, settings } = opened
  const context: Context = {
    ...{ sql, clock, settings, accounts: organizationsOf(settings) },
    by: whoCalls(),
    role: 'admin',
    async finished(tx, batchIds) {
      if (batchIds.length === 0) return
      queues ??= openQueues(opened)
      const { boss } = await queues
      for (const batchId of batchIds) await enqueue(boss, exportQueue, { batchId: String(batchId) }, tx)
    },
    wake: () => {},
  }
  return { context, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
