import { advance, type Step, sendWindowMs } from '../domain/advance.ts'
import { causeOfRun } from '../domain/hold-ends.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { Account, Lookup } from '../domain/lookup.ts'
import { giveUp, type Outcome, whileJudging, whilePaying } from '../domain/outcome.ts'
import type { Obstacle } from '../purchases/check-purchases.ts'
import type { LaneLatch } from '../registry/call.ts'
import type { AnyLookupJob, Engine, Turn } from './engine.ts'
import { stopLane } from './hold.ts'
import type { Latch } from './latches.ts'
import { createStepWriter } from './step-writer.ts'

/** The payload of a look-up job: ids only, so that no document is stored in a queue. */
export type ChunkPayload = {
  organizationId: number
  kind: Kind
  state: Lookup['state']
  ids: string[]
  trial: boolean
  /** Its look-ups go before those of other jobs. */
  small: boolean
}

/** Look-ups of one lane and one state that take one step together, and their progress. */
export type Chunk<Tools> = {
  readonly engine: Engine<Tools>
  readonly job: AnyLookupJob<Tools>
  readonly jobId: string
  readonly payload: ChunkPayload
  readonly ids: bigint[]
  readonly account: Account
  readonly writer: ReturnType<typeof createStepWriter>
  readonly latch: Latch
  /** What `prepare` returned for the look-ups of the chunk. */
  shared: unknown
  /** What became of the lane: `held` while it is being held, and whether the registry answered one of them. */
  readonly lane: { held: Promise<void> | null; isAnswered: boolean }
}

export const openChunk = <Tools>(
  engine: Engine<Tools>,
  job: AnyLookupJob<Tools>,
  jobId: string,
  payload: ChunkPayload,
  account: Account,
): Chunk<Tools> => ({
  engine,
  job,
  jobId,
  payload,
  ids: payload.ids.map(BigInt),
  account,
  writer: createStepWriter(engine),
  latch: engine.latchOf(payload),
  shared: undefined,
  lane: { held: null, isAnswered: false },
})

export const mustStop = <Tools>({ latch, engine }: Chunk<Tools>): boolean => latch.isClosed || engine.draining.aborted

/** What a step receives. A call whose intent is recorded has a time by which it must be sent. */
export const turnOf = <Tools>(chunk: Chunk<Tools>, lookup?: Lookup, isTooLate?: () => boolean): Tools & Turn => {
  const { engine, account } = chunk
  const { tools, draining, giveUp, clock } = engine
  // If a paid call is aborted its outcome is unknown, so it may finish by itself; any other call is simply repeated.
  const signal = isTooLate ? giveUp : draining
  return { ...tools, account, now: clock(), call: { signal, isTooLate, latch: latchFor(chunk, lookup) } }
}

/**
 * Opened before an intent is recorded; says when its call may no longer be sent, because others may judge it from then on.
 *
 * Both clocks of this machine must agree that there is time: the monotonic one never steps, and the wall clock counts the
 * time during which the machine was suspended.
 */
export const openSendWindow = ({ engine, payload }: Chunk<unknown>): (() => boolean) => {
  const ms = sendWindowMs(engine.timeouts(payload.kind).requestTimeoutMs)
  const [monotonic, wall] = [performance.now(), Date.now()]
  return () => performance.now() - monotonic > ms || Math.abs(Date.now() - wall) > ms
}

/** The latch of the lane for the calls of this look-up. A job that judges reads lists, which say nothing about other calls. */
const latchFor = <Tools>(chunk: Chunk<Tools>, lookup: Lookup | undefined): LaneLatch => {
  const { latch, payload } = chunk
  return {
    get isClosed() {
      return latch.isClosed
    },
    isTrial: payload.trial,
    get failsAlone() {
      return lookup !== undefined && latch.failsAlone(lookup.id)
    },
    hear(endpoint, failure) {
      if (payload.state === 'sending') return
      if (failure?.holds === 'plan' && payload.state === 'queued') latch.close()
      const isFound = lookup?.state === 'waiting' && lookup.charged === 'no' && spendingKinds.includes(lookup.kind)
      if (!latch.record(lookup?.id ?? null, endpoint, failure, isFound) || !failure) return
      const cause = causeOfRun(failure.holds, payload.state === 'waiting')
      chunk.lane.held ??= hold(chunk, { is: 'held', cause, reason: failure.reason })
    },
  }
}

/** What an outcome does to its look-up. The first outcome that holds the lane holds it for everyone. */
export const transition = <Tools>(chunk: Chunk<Tools>, lookup: Lookup, how: Outcome): Step => {
  const { engine, job, payload } = chunk
  // A failed trial is the lane's failure, so it does not count as a try of its look-up.
  const retries = payload.trial ? Number.POSITIVE_INFINITY : job.retries
  const met = payload.state === 'sending' ? how : ofLookup(how, payload, lookup, retries)
  if (met.is === 'held') chunk.lane.held ??= hold(chunk, met)
  const outcome = payload.state === 'sending' ? whileJudging(met) : isPaid(payload) ? whilePaying(met) : met
  if (answers.includes(outcome.is)) chunk.lane.isAnswered = true
  return advance(lookup, outcome, { ...engine.timeouts(lookup.kind), retries }, engine.clock())
}

/**
 * Writes the step of a turn.
 *
 * The outcome of a call whose intent is recorded is unknown until it is written, so the caller waits for that. It does not
 * wait for any other outcome.
 */
export const writeTurn = async <Tools>(
  { payload, writer }: Chunk<Tools>,
  lookup: Lookup,
  step: Step,
): Promise<void> => {
  const intent = intentOf(payload, lookup)
  const written = writer.add(step, intent)
  if (intent) await written
}

const isPaid = ({ state, kind }: ChunkPayload): boolean => state === 'queued' && spendingKinds.includes(kind)

/**
 * A denial, or a plan that refuses an answer which was paid for, may concern this look-up alone. A run of them holds the
 * lane; a single one does not. A look-up that is denied more often than it may fail ends as denied.
 */
const ofLookup = (how: Outcome, { state }: ChunkPayload, lookup: Lookup, retries: number): Outcome => {
  if (how.is !== 'held' || !(how.cause === 'denied' || (how.cause === 'plan' && state === 'waiting'))) return how
  const { cause, reason, retryAfterMs, isRefusal } = how
  const isOver = cause === 'denied' && lookup.attempts >= retries
  return isOver ? { ...giveUp('denied', reason), isRefusal } : { is: 'refused', reason, retryAfterMs, isRefusal }
}

/** Holds the lane because nothing may be bought, although no call was sent. */
export const holdUnsent = <Tools>(chunk: Chunk<Tools>, obstacle: Obstacle): void => {
  chunk.lane.held ??= hold(chunk, { is: 'held', ...obstacle })
}

/** When the intent of a call was recorded; null for a step that needs none. */
const intentOf = (payload: ChunkPayload, lookup: Lookup): Date | null =>
  payload.state === 'queued' && lookup.state === 'sending' ? lookup.sendingAt : null

/** Outcomes that show that the registry answers again. Its list counts as an answer too. */
const answers: Outcome['is'][] = ['ok', 'accepted', 'later', 'adopted', 'absent', 'unproven', 'undecided']

const hold = <Tools>(
  { engine, payload, latch }: Chunk<Tools>,
  how: Extract<Outcome, { is: 'held' }>,
): Promise<void> => {
  latch.close()
  return stopLane(engine, payload, how)
    .catch((error) => engine.log.error({ cause: how.cause, err: error }, 'could not hold the lane'))
    .finally(() => latch.replace())
}
