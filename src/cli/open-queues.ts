import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import { submitFile } from '../batches/submit.ts'
import type { Context } from '../operations/context.ts'
import type { Boss } from '../queue/boss.ts'
import { openSender } from '../queue/boss.ts'
import { exportQueue } from '../queue/queues.ts'
import { createQueues, enqueue } from '../queue/start-jobs.ts'
import { whoCalls } from './context.ts'
import { listedPurchases } from './listed-purchases.ts'
import type { OpenInstallation } from './open.ts'
import { organizationsOf } from './options.ts'

/** Opens the queues for a command that only enqueues jobs. */
export const openQueues = async ({ databaseUrl, log }: OpenInstallation): Promise<AsyncDisposable & { boss: Boss }> => {
  const sender = await openSender(databaseUrl, log)
  await createQueues(sender.boss, lookupJobs, batchJobs)
  return sender
}

/** What an operation works with on the command line; the queues are opened only if the operation makes or finishes a batch. */
export const openActing = (opened: OpenInstallation): AsyncDisposable & { context: Context } => {
  const stack = new AsyncDisposableStack()
  let queues: Promise<AsyncDisposable & { boss: Boss }> | undefined
  stack.defer(async () => (await queues)?.[Symbol.asyncDispose]())
  const { sql, clock, settings } = opened
  const boss = async (): Promise<Boss> => {
    queues ??= openQueues(opened)
    return (await queues).boss
  }
  const context: Context = {
    ...{ sql, clock, settings, accounts: organizationsOf(settings), purchases: listedPurchases(opened) },
    by: whoCalls(),
    role: 'admin',
    submit: async (submission) => submitFile(sql, await boss(), submission),
    async finished(tx, batchIds) {
      if (batchIds.length === 0) return
      for (const batchId of batchIds) await enqueue(await boss(), exportQueue, { batchId: String(batchId) }, tx)
    },
    wake: () => {},
  }
  return { context, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
