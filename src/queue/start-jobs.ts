import type { JobWithMetadata } from 'pg-boss'
import type { Sql } from '../store/connect.ts'
import { type Boss, inTransaction } from './boss.ts'

const hour = 3_600

/** What every queue has in common: a dead worker is noticed after ten seconds, and finished jobs do not pile up. */
const options = {
  heartbeatSeconds: 10,
  expireInSeconds: 23 * hour,
  deleteAfterSeconds: hour,
  notify: true,
}

const polling = {
  heartbeatRefreshSeconds: 3,
  // Where LISTEN delivers nothing; elsewhere the next line.
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 5,
  includeMetadata: true,
} as const

/** Makes the queues that are missing, so that anyone may enqueue, whether or not a worker runs. */
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

/** A job that was handed to us; `retryCount` above 0 says that somebody died with it. */
export type Taken<Payload> = JobWithMetadata<Payload>

/**
 * Takes one job after the other: whoever just had work looks for more at once, and only then waits to be woken. With a
 * priority it takes none that has less.
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

/** What a job needs around it. */
type Working<Tools> = {
  boss: Boss
  tools: Tools
  log: { error(facts: object, phrase: string): void }
  wake(): void
  draining: AbortSignal
}

/** Starts to take the other jobs. */
export const workJobs = async <Tools>(engine: Working<Tools>, jobs: readonly AnyJob<Tools>[]): Promise<void> => {
  for (const job of jobs) {
    await takeJobs<object>(engine.boss, job.name, async ({ data, retryCount }) => {
      const { work: perform } = job as unknown as Job<Tools>
      await perform(data, { ...engine.tools, signal: engine.draining }).catch((error) => {
        engine.log.error({ job: job.name, try: retryCount + 1, err: error }, 'job failed')
        // pg-boss stores what is thrown here, and an error of PostgreSQL repeats the row that it refused.
        throw new Error('The log of the worker says why')
      })
      engine.wake()
    })
  }
}

/**
 * Puts a job into its queue, inside a transaction where one is given; one of the same key that waits is enough.
 * With `afterMs` it is taken no earlier than that.
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

/** A job that is not about one look-up: importing, exporting, sweeping. It may run twice; each shows its own guard. */
export type Job<Tools, Payload extends object = object> = {
  name: string
  retries: number
  /** At most one of these per key waits, and one runs. */
  key?(payload: Payload): string
  work(payload: Payload, tools: Tools & { signal: AbortSignal }): Promise<void>
}

export type AnyJob<Tools> = Job<Tools, never>
