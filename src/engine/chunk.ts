import { advance, sendWindowMs } from '../domain/advance.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { Account, Lookup } from '../domain/lookup.ts'
import { giveUp, type Outcome, whileJudging, whilePaying } from '../domain/outcome.ts'
import type { Obstacle } from '../purchases/look-first.ts'
import type { LaneLatch } from '../registry/call.ts'
import type { Engine } from './engine.ts'
import { stopLane } from './hold.ts'
import type { Latch } from './latches.ts'
import type { AnyLookupJob, Turn } from './lookup-job.ts'
import { createStepWriter } from './step-writer.ts'

/** The payload of a look-up job: ids only, so that nobody's document lies in a queue. */
export type ChunkPayload = {
  organizationId: number
  kind: Kind
  state: Lookup['state']
  ids: string[]
  trial: boolean
  /** Its look-ups go before those of other jobs. */
  small: boolean
}

/** Some look-ups of one lane and one state on their way through one step, and how they fare. */
export type Chunk<Tools> = {
  readonly engine: Engine<Tools>
  readonly job: AnyLookupJob<Tools>
  readonly jobId: string
  readonly payload: ChunkPayload
  readonly ids: bigint[]
  readonly account: Account
  readonly writer: ReturnType<typeof createStepWriter>
  readonly latch: Latch
  /** What the look-ups of a chunk share, once it is prepared. */
  shared: unknown
  /** The lane is being held. */
  held: Promise<void> | null
  /** The registry answered one of them. */
  isAnswered: boolean
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
  held: null,
  isAnswered: false,
})

export const mustStop = <Tools>({ latch, engine }: Chunk<Tools>): boolean => latch.isClosed || engine.draining.aborted

/** What a step is given; a call whose intent is on record has a time by which it must have left. */
export const turnOf = <Tools>(chunk: Chunk<Tools>, lookup?: Lookup, isTooLate?: () => boolean): Tools & Turn => {
  const { engine, account } = chunk
  const { tools, draining, giveUp, clock } = engine
  // The outcome of a spending call that is cut off is unknown, so it may end by itself; any other is simply asked again.
  const signal = isTooLate ? giveUp : draining
  return { ...tools, account, now: clock(), call: { signal, isTooLate, latch: latchFor(chunk, lookup) } }
}

/**
 * Opened before an intent is recorded; says when its call may no longer leave, because others may judge it from then on.
 *
 * Both clocks of this machine must agree that there is time: the monotonic one never steps, and the wall clock counts the
 * time during which the machine was suspended.
 */
export const openSendWindow = ({ engine, payload }: Chunk<unknown>): (() => boolean) => {
  const ms = sendWindowMs(engine.timeouts(payload.kind).requestTimeoutMs)
  const [monotonic, wall] = [performance.now(), Date.now()]
  return () => performance.now() - monotonic > ms || Math.abs(Date.now() - wall) > ms
}

/** The gate of the lane, as a call of this look-up meets it. Who judges reads lists: those say nothing about other calls. */
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
      if (!latch.record(lookup?.id ?? null, endpoint, failure) || !failure) return
      const fetching = payload.state === 'waiting' ? 'fetch_refused' : 'refused'
      const cause = failure.holds === 'denied' ? failure.holds : fetching
      chunk.held ??= hold(chunk, { is: 'held', cause, reason: failure.reason })
    },
  }
}

/**
 * Writes down how the step of a look-up ended; the first ending that holds the lane holds it for everyone.
 *
 * What a call became whose intent is on record is in doubt until that is written, so it is waited for; any other is not.
 */
export const endTurn = async <Tools>(chunk: Chunk<Tools>, lookup: Lookup, how: Outcome): Promise<void> => {
  const { engine, job, payload } = chunk
  // What a trial meets concerns the lane: it uses up none of the tries of its look-up.
  const retries = payload.trial ? Number.POSITIVE_INFINITY : job.retries
  const met = payload.state === 'sending' ? how : ofLookup(how, payload, lookup, retries)
  if (met.is === 'held') chunk.held ??= hold(chunk, met)
  const outcome = payload.state === 'sending' ? whileJudging(met) : isPaid(payload) ? whilePaying(met) : met
  if (answers.includes(outcome.is)) chunk.isAnswered = true
  const timeouts = { ...engine.timeouts(lookup.kind), retries }
  const intent = intentOf(payload, lookup)
  const written = chunk.writer.add(advance(lookup, outcome, timeouts, engine.clock()), intent)
  if (intent) await written
}

const isPaid = ({ state, kind }: ChunkPayload): boolean => state === 'queued' && spendingKinds.includes(kind)

/**
 * A denial, and a plan that refuses an answer which was paid for, may concern this look-up alone: a run of them holds the
 * lane, one does not. Whoever is denied as often as others may fail ends so.
 */
const ofLookup = (how: Outcome, { state }: ChunkPayload, lookup: Lookup, retries: number): Outcome => {
  if (how.is !== 'held' || !(how.cause === 'denied' || (how.cause === 'plan' && state === 'waiting'))) return how
  const { cause, reason, retryAfterMs, isRefusal } = how
  const isOver = cause === 'denied' && lookup.attempts >= retries
  return isOver ? { ...giveUp('denied', reason), isRefusal } : { is: 'refused', reason, retryAfterMs, isRefusal }
}

/** Nothing of the lane may be bought, though nothing was sent to find it out. */
export const holdUnsent = <Tools>(chunk: Chunk<Tools>, obstacle: Obstacle): void => {
  chunk.held ??= hold(chunk, { is: 'held', ...obstacle })
}

/** When the intent of a call was recorded; null for a step that needs none. */
const intentOf = (payload: ChunkPayload, lookup: Lookup): Date | null =>
  payload.state === 'queued' && lookup.state === 'sending' ? lookup.sendingAt : null

/** Endings that show that the registry is there again; its list is as good an answer as any. */
const answers: Outcome['is'][] = ['ok', 'accepted', 'later', 'adopted', 'absent', 'unproven', 'undecided']

const hold = <Tools>(
  { engine, payload, latch }: Chunk<Tools>,
  how: Extract<Outcome, { is: 'held' }>,
): Promise<void> => {
  latch.close()
  return stopLane(engine, payload, how)
    .catch((error) => engine.log.error({ cause: how.cause, err: error }, 'lane could not be held'))
    .finally(() => latch.replace())
}
