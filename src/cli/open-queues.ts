import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import type { ListedPurchases } from '../batches/resolve.ts'
import type { Account } from '../domain/lookup.ts'
import { openPlace, openRegistry } from '../installation.ts'
import { quoteSweep } from '../monitoring/preview-sweep.ts'
import type { Context } from '../operations/operation.ts'
import { type Boss, openSender } from '../queue/boss.ts'
import { exportQueue } from '../queue/queues.ts'
import { createQueues, enqueue } from '../queue/start-jobs.ts'
import type { Registry } from '../registry/create-registry.ts'
import { toSweepQuoteView } from '../views/sweep.ts'
import { whoCalls } from './command.ts'
import type { OpenInstallation } from './open.ts'
import { organizationsOf } from './options.ts'

/** Opens the queues for a command that only enqueues jobs. */
export const openQueues = async ({ databaseUrl, log }: OpenInstallation): Promise<AsyncDisposable & { boss: Boss }> => {
  const sender = await openSender(databaseUrl, log)
  await createQueues(sender.boss, lookupJobs, batchJobs)
  return sender
}

/** What an operation works with on the command line; queues and registry are opened only if it needs them. */
export const openActing = (opened: OpenInstallation): AsyncDisposable & { context: Context } => {
  const stack = new AsyncDisposableStack()
  let opening: Promise<AsyncDisposable & { boss: Boss }> | undefined
  stack.defer(async () => (await opening)?.[Symbol.asyncDispose]())
  const { sql, clock, settings, home } = opened
  const queues = async (): Promise<Boss> => {
    opening ??= openQueues(opened)
    return (await opening).boss
  }
  const context: Context = {
    ...{ sql, clock, settings, home, queues, accounts: organizationsOf(settings) },
    by: whoCalls(),
    role: 'admin',
    purchases: (lane, document) =>
      withRegistry(opened, ({ registry, accounts }) => purchasesAt(registry, accounts)(lane, document)),
    // Only this sweep buys anything.
    quoteSweep: async (name) =>
      name === 'radars'
        ? await withRegistry(opened, (open) => quoteSweep({ sql, settings, clock, ...open }, name))
        : toSweepQuoteView(name, [], settings.budget),
    async finished(tx, batchIds) {
      if (batchIds.length === 0) return
      for (const batchId of batchIds) await enqueue(await queues(), exportQueue, { batchId: String(batchId) }, tx)
    },
    wake: () => {},
  }
  return { context, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Opens the registry for one request, without an engine. */
const withRegistry = async <T>(
  opened: OpenInstallation,
  use: (open: { registry: Registry; accounts: readonly Account[] }) => Promise<T>,
): Promise<T> => {
  await using place = await openPlace(opened.settings)
  await using open = await openRegistry(opened, place)
  open.registry.turnstile.bound.ceiling = 1
  // Awaited here: the registry is closed when this function ends.
  return await use({ registry: open.registry, accounts: place.accounts })
}

/** The purchases of a document that the registry lists. (Interface 4.3, 4.6) */
export const purchasesAt =
  (registry: Registry, accounts: readonly Account[]): ListedPurchases =>
  async ({ organizationId, kind }, document) => {
    const account = accounts.find((each) => each.organizationId === organizationId)
    if (!account) return []
    if (kind === 'cnh') {
      const latest = await registry.cnh.latest(document, account)
      return latest ? [{ id: latest.requestId, key: null }] : []
    }
    const { analyses } = await registry.activities.list(account)
    return analyses
      .filter((analysis) => analysis.document === document.number)
      .map(({ id, uniqueId }) => ({ id, key: uniqueId }))
  }
