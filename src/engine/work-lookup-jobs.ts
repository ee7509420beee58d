import { type Taken, takeJobs } from '../queue/start-jobs.ts'
import { countEnded } from '../store/batches/counts.ts'
import { endClaim, postponeLookups, releaseFromDead } from '../store/lookups/claims.ts'
import type { ChunkPayload } from './chunk.ts'
import { fatalDeaths, priorityOfSmall } from './dispatch.ts'
import type { ChunkPace } from './dispatcher.ts'
import type { Engine } from './engine.ts'
import type { AnyLookupJob } from './lookup-job.ts'
import { runChunk } from './run-chunk.ts'
import { finishTouched } from './settle.ts'

/**
 * Starts to take look-up jobs: two at a time from each queue, so that the bound stays used while one ends, and one more for
 * small files, which need not wait for a large one.
 */
export const workLookupJobs = async <Tools>(engine: Engine<Tools>, pace: ChunkPace): Promise<void> => {
  for (const job of engine.jobs) {
    for (const minPriority of [0, 0, priorityOfSmall]) {
      const take = (chunk: Taken<ChunkPayload>) => takeChunk(engine, job, chunk, pace)
      await takeJobs(engine.boss, job.name, take, minPriority)
    }
  }
}

/** After a failure the next job may fail at once too: wait this long. */
const afterFailureMs = 1_000

const takeChunk = async <Tools>(
  engine: Engine<Tools>,
  job: AnyLookupJob<Tools>,
  { id, data, retryCount }: Taken<ChunkPayload>,
  pace: ChunkPace,
): Promise<void> => {
  if (retryCount > 0) return takeBackFromDead(engine, id)
  engine.wake()
  const began = performance.now()
  try {
    await runChunk(engine, job, id, data)
    pace.record(data.ids.length, performance.now() - began)
  } catch (error) {
    engine.log.error({ job: job.name, err: error }, 'chunk failed')
    const dueAt = new Date(engine.clock().getTime() + afterFailureMs)
    await postponeLookups(engine.sql, data.ids.map(BigInt), data.state, dueAt)
    await endClaim(engine.sql, id)
  }
  engine.wake()
}

/** Another worker died with this job: its look-ups return to the queue, each in its own state. */
const takeBackFromDead = async <Tools>(engine: Engine<Tools>, jobId: string): Promise<void> => {
  const now = engine.clock()
  const { released, touched } = await engine.sql.begin(async (tx) => {
    const rows = await releaseFromDead(tx, jobId, fatalDeaths, now)
    const ended = rows.filter(({ isQuarantined }) => isQuarantined).map(({ id }) => id)
    return { released: rows, touched: await countEnded(tx, ended) }
  })
  await finishTouched(engine, touched)
  engine.log.warn({ lookups: released.length }, 'took over from a dead worker')
  engine.wake()
}
