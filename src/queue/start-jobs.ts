import type { JobWithMetadata } from 'pg-boss'
import type { Sql } from '../store/connect.ts'
import { type Boss, inTransaction } from './boss.ts'
import { queuesWithJobs } from './boss-tables.ts'

const hour = 3_600

/** What all queues have in common: a dead worker is noticed after ten seconds, and finished jobs do not pile up. */
const options = {
  heartbeatSeconds: 10,
  expireInSeconds: 23 * hour,
  deleteAfterSeconds: hour,
  notify: true,
}

const polling = {
  heartbeatRefreshSeconds: 3,
  // `pollQueues` asks for all queues at once, so that each worker of a queue need not ask by itself.
  pollingIntervalSeconds: 5,
  notifyPollingIntervalSeconds: 60,
  includeMetadata: true,
} as const

/** Creates missing queues, so that a job can be sent whether or not a worker runs. */
export const createQueues = async <Tools>(
  boss: Boss,
  lookupJobs: readonly { name: string }[],
  jobs: readonly AnyJob<Tools>[],
): Promise<void> => {
  const there = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const { name } of lookupJobs) if (!there.has(name)) await boss.createQueue(name, optionsOfLookups)
  for (const job of jobs) if (!there.has(job.name)) await boss.createQueue(job.name, optionsOf(job))
}

const optionsOfLookups = { ...options, retryLimit: 10 }

const optionsOf = <Tools>({ retries, key }: AnyJob<Tools>) => ({
  ...options,
  retryLimit: retries,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  policy: key ? ('stately' as const) : ('standard' as const),
})

/** A job as pg-boss gives it. If `retryCount` is above 0, a worker died while working on it. */
export type Taken<Payload> = JobWithMetadata<Payload>

/**
 * Takes jobs one after the other. A worker that just had a job fetches the next at once, and waits for a notification
 * only when there is none. With a `priority` it takes no job of lower priority.
 */
export const takeJobs = async <Payload extends object>(
  boss: Boss,
  name: string,
  take: (job: Taken<Payload>) => Promise<void>,
  minPriority = 0,
): Promise<void> => {
  let id: string | undefined
  const options = { ...polling, ...(minPriority > 0 && { minPriority }) }
  id = await boss.work<Payload, void, typeof options>(name, options, async ([job]) => {
    if (!job) return
    try {
      await take(job)
    } finally {
      if (id) boss.notifyWorker(id)
    }
  })
}

/** Wakes whoever can take a job of a queue that has one: a job that became due, or whose notification was lost. */
export const pollQueues = async (sql: Sql, boss: Boss): Promise<void> => {
  const ready = await queuesWithJobs(sql)
  for (const { id, name } of boss.getWipData()) if (ready.has(name)) boss.notifyWorker(id)
}

/** What the loop of a job needs. */
type Working<Tools> = {
  boss: Boss
  tools: Tools
  log: { error(facts: object, phrase: string): void }
  wake(): void
  draining: AbortSignal
}

/** Starts to take all jobs that are not about look-ups. */
export const workJobs = async <Tools>(engine: Working<Tools>, jobs: readonly AnyJob<Tools>[]): Promise<void> => {
  for (const job of jobs) {
    await takeJobs<object>(engine.boss, job.name, async ({ data, retryCount }) => {
      const { work: perform } = job as unknown as Job<Tools>
      await perform(data, { ...engine.tools, signal: engine.draining }).catch((error) => {
        engine.log.error({ job: job.name, try: retryCount + 1, err: error }, 'job failed')
        // pg-boss stores what is thrown here, and a PostgreSQL error quotes the row that it refused.
        throw new Error('See the log of the worker')
      })
      engine.wake()
    })
  }
}

/**
 * Puts a job into its queue, in a transaction if one is given. If one with the same key is queued already, nothing is
 * added. With `afterMs` it is taken no earlier than that.
 */
export const enqueue = async <Payload extends object>(
  boss: Boss,
  job: { name: string; key?(payload: Payload): string },
  payload: Payload,
  tx?: Sql,
  afterMs = 0,
): Promise<void> => {
  const key = job.key?.(payload)
  await boss.send(job.name, payload, {
    ...(key && { singletonKey: key }),
    ...(afterMs > 0 && { startAfter: Math.ceil(afterMs / 1_000) }),
    ...(tx && inTransaction(tx)),
  })
}

/** A job that is not about one look-up: an import, an export, a sweep. It may run twice, and each shows its own guard. */
export type Job<Tools, Payload extends object = object> = {
  name: string
  retries: number
  /** At most one job per key waits, and one runs. */
  key?(payload: Payload): string
  work(payload: Payload, tools: Tools & { signal: AbortSignal }): Promise<void>
}

export type AnyJob<Tools> = Job<Tools, never>
