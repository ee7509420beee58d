import type { JobWithMetadata } from 'pg-boss'
import type { Sql } from '../store/connect.ts'
import { countEnded } from '../store/counts.ts'
import { releaseFromDead, releaseFromJob } from '../store/due-lookups.ts'
import { type Boss, inTransaction } from './boss.ts'
import { poisonAt } from './chunks.ts'
import type { Engine } from './engine.ts'
import { finishTouched } from './finish.ts'
import type { AnyJob, Job } from './job.ts'
import type { AnyLookupJob } from './lookup-job.ts'
import type { Pace } from './pace.ts'
import { type ChunkPayload, runChunk } from './run-chunk.ts'

const hour = 3_600

/** What every queue has in common: a dead worker is noticed after ten seconds, and finished jobs do not pile up. */
const manners = {
  heartbeatSeconds: 10,
  expireInSeconds: 23 * hour,
  deleteAfterSeconds: hour,
  notify: true,
}

const polling = {
  heartbeatRefreshSeconds: 3,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 5,
  includeMetadata: true,
} as const

/** Makes the queues, so that anyone may enqueue, whether or not a worker runs. */
export const createQueues = async <Tools>(
  boss: Boss,
  lookupJobs: readonly AnyLookupJob<Tools>[],
  jobs: readonly AnyJob<Tools>[],
): Promise<void> => {
  for (const { name } of lookupJobs) await boss.createQueue(name, { ...manners, retryLimit: 10 })
  for (const { name, retries, key } of jobs) {
    const backoff = { retryLimit: retries, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 }
    await boss.createQueue(name, { ...manners, ...backoff, policy: key ? 'stately' : 'standard' })
  }
}

/** Starts to take look-up jobs; two at a time each, so that the bound stays full while one ends. */
export const workLookupJobs = async <Tools>(engine: Engine<Tools>, pace: Pace): Promise<void> => {
  for (const job of engine.jobs) {
    for (const _ of ['one', 'another']) {
      await work<ChunkPayload>(engine.boss, job.name, (chunk) => takeChunk(engine, job, chunk, pace))
    }
  }
}

/** Takes one job after the other: whoever just had work looks for more at once, and only then waits to be woken. */
const work = async <Payload extends object>(
  boss: Boss,
  name: string,
  take: (job: JobWithMetadata<Payload>) => Promise<void>,
): Promise<void> => {
  let id: string | undefined
  id = await boss.work<Payload, void, typeof polling>(name, polling, async ([job]) => {
    if (!job) return
    try {
      await take(job)
    } finally {
      if (id) boss.notifyWorker(id)
    }
  })
}

/** What failed once may fail at once again, as often as a second allows. */
const afterFailureMs = 1_000

const takeChunk = async <Tools>(
  engine: Engine<Tools>,
  job: AnyLookupJob<Tools>,
  { id, data, retryCount }: JobWithMetadata<ChunkPayload>,
  pace: Pace,
): Promise<void> => {
  if (retryCount > 0) return takeBackFromDead(engine, id, data)
  const began = performance.now()
  try {
    await runChunk(engine, job, id, data)
    pace.record(data.ids.length, performance.now() - began)
  } catch (error) {
    engine.log.error({ job: job.name, err: error }, 'chunk failed')
    const dueAt = new Date(engine.clock().getTime() + afterFailureMs)
    await releaseFromJob(engine.sql, data.ids.map(BigInt), id, dueAt)
  }
  engine.wake()
}

/** Another worker died with this job: its look-ups go back, each from its own state. */
const takeBackFromDead = async <Tools>(engine: Engine<Tools>, jobId: string, { ids }: ChunkPayload): Promise<void> => {
  const now = engine.clock()
  const { released, touched } = await engine.sql.begin(async (tx) => {
    const rows = await releaseFromDead(tx, ids.map(BigInt), jobId, poisonAt, now)
    const poisoned = rows.filter((row) => row.poisoned).map((row) => row.id)
    return { released: rows, touched: await countEnded(tx, poisoned) }
  })
  await finishTouched(engine, touched)
  engine.log.warn({ lookups: released.length }, 'took over from a dead worker')
  engine.wake()
}

/** Starts to take the other jobs. */
export const workJobs = async <Tools>(engine: Engine<Tools>, jobs: readonly AnyJob<Tools>[]): Promise<void> => {
  for (const job of jobs) {
    await work<object>(engine.boss, job.name, async ({ data, retryCount }) => {
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
