import { afterStep, inOneTurn, type Step } from '../domain/advance.ts'
import { CallFailure } from '../domain/call-failure.ts'
import type { Lookup } from '../domain/lookup.ts'
import { type Outcome, outcomeOf } from '../domain/outcome.ts'
import { type Taken, takeJobs } from '../queue/start-jobs.ts'
import { countEnded } from '../store/batches/counts.ts'
import { endClaim, postponeLookups, releaseFromDead } from '../store/lookups/claims.ts'
import { type Chunk, type ChunkPayload, mustStop, openChunk, transition, turnOf, writeTurn } from './chunk.ts'
import { fatalDeaths, priorityOfSmall } from './dispatch.ts'
import type { ChunkPace } from './dispatcher.ts'
import { type AnyLookupJob, type Engine, jobFor } from './engine.ts'
import { feed } from './feed.ts'
import { laneAnswers } from './hold.ts'
import { finishTouched } from './settle.ts'
import { recordTurn } from './step-writer.ts'

/**
 * Takes each look-up of a chunk one step further.
 *
 * Intents are recorded in small groups just before the calls, so that a crash leaves few unknown outcomes. The first
 * outcome that holds the lane stops every chunk of it: what was not begun returns unchanged to the queue.
 */
const runChunk = async <Tools>(
  engine: Engine<Tools>,
  job: AnyLookupJob<Tools>,
  jobId: string,
  payload: ChunkPayload,
): Promise<void> => {
  const account = engine.accounts.find(({ organizationId }) => organizationId === payload.organizationId)
  if (!account) return forgetOrganization(engine, jobId, payload)
  const chunk = openChunk(engine, job, jobId, payload, account)
  const turns: Promise<void>[] = []
  try {
    for await (const { lookups, places, isTooLate } of feed(chunk)) {
      chunk.writer.expect(lookups.length)
      for (const lookup of lookups) turns.push(takeTurn(chunk, lookup, places.hand(), isTooLate))
    }
  } finally {
    await Promise.all([...turns, chunk.writer.end()])
    await endClaim(engine.sql, jobId)
  }
  if (chunk.lane.held) await chunk.lane.held
  else if (payload.trial && chunk.lane.isAnswered) await laneAnswers(engine, payload)
}

/** One step of one look-up. It keeps its place until it is written, so a crash leaves at most one unknown outcome per place. */
const takeTurn = async <Tools>(
  chunk: Chunk<Tools>,
  lookup: Lookup,
  place: Disposable,
  isTooLate: (() => boolean) | undefined,
): Promise<void> => {
  using _ = place
  const began = performance.now()
  const first = transition(chunk, lookup, await step(chunk, lookup, isTooLate))
  const last = await goOn(chunk, lookup, first)
  recordTurn(chunk.engine.steps, performance.now() - began)
  await writeTurn(chunk, lookup, last)
}

/** The step after a purchase, if the registry answers at once: both are written together. */
const goOn = async <Tools>(chunk: Chunk<Tools>, lookup: Lookup, first: Step): Promise<Step> => {
  const { engine, payload } = chunk
  if (payload.state !== 'queued' || payload.trial || first.to !== 'waiting' || mustStop(chunk)) return first
  const job = jobFor(engine.jobs, { kind: lookup.kind, state: 'waiting' })
  if (!job.isAtOnce || !engine.atOnce.isWorthTrying()) return first
  const bought = afterStep(lookup, first)
  const waiting: Chunk<Tools> = { ...chunk, job, payload: { ...payload, state: 'waiting' } }
  const began = performance.now()
  const second = transition(waiting, bought, await step(waiting, bought))
  engine.atOnce.record(second.to !== 'waiting', performance.now() - began)
  return inOneTurn(first, second)
}

/** Once the chunk is stopped no more calls are sent; a step that sent nothing costs nothing. */
const step = async <Tools>(chunk: Chunk<Tools>, lookup: Lookup, isTooLate?: () => boolean): Promise<Outcome> => {
  if (mustStop(chunk)) return stoppedUnderway
  try {
    return await chunk.job.each(lookup, turnOf(chunk, lookup, isTooLate), chunk.shared)
  } catch (error) {
    if (!(error instanceof CallFailure)) chunk.engine.log.error({ lookup: `${lookup.id}`, err: error }, 'step failed')
    // A free call that the worker aborted when it stopped is no failure of the look-up.
    const isCutOff = chunk.engine.draining.aborted && lookup.state !== 'sending'
    return isCutOff ? stoppedUnderway : outcomeOf(error)
  }
}

const stoppedUnderway: Outcome = { is: 'put_back', reason: ['stopped'] }

/** Look-ups of an organization that left the settings wait until it is back, or until their deadline. */
const forgetOrganization = async <Tools>(
  engine: Engine<Tools>,
  jobId: string,
  payload: ChunkPayload,
): Promise<void> => {
  const later = new Date(engine.clock().getTime() + 60_000)
  await postponeLookups(engine.sql, payload.ids.map(BigInt), payload.state, later)
  await endClaim(engine.sql, jobId)
  engine.log.error({ organization: payload.organizationId }, 'organization is not in the settings')
}

/**
 * Starts to take look-up jobs: two at a time from each queue, so that the bound stays used while one ends, and one more for
 * small files, which need not wait for a large one. Each of these asks the queue for jobs, so a queue has only the first
 * until it has its first job.
 */
export const workLookupJobs = async <Tools>(engine: Engine<Tools>, pace: ChunkPace): Promise<void> => {
  for (const job of engine.jobs) {
    const take = (chunk: Taken<ChunkPayload>) => takeChunk(engine, job, chunk, pace)
    const takeMore = () =>
      Promise.all([0, priorityOfSmall].map((minPriority) => takeJobs(engine.boss, job.name, take, minPriority))).catch(
        (error) => engine.log.error({ job: job.name, err: error }, 'could not take several jobs at a time'),
      )
    let more: Promise<unknown> | undefined
    await takeJobs<ChunkPayload>(engine.boss, job.name, async (chunk) => {
      if (!engine.draining.aborted) more ??= takeMore()
      await more
      await take(chunk)
    })
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
