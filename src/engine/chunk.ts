import { advance, sendWindowMs } from '../domain/advance.ts'
import { type Ending, whileJudging, whilePaying } from '../domain/ending.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { Account, Lookup } from '../domain/lookup.ts'
import type { Obstacle } from '../purchases/look-first.ts'
import type { Engine } from './engine.ts'
import type { Gate } from './gates.ts'
import { stopLane } from './hold.ts'
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
  readonly gate: Gate
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
  gate: engine.gateOf(payload),
  shared: undefined,
  held: null,
  isAnswered: false,
})

export const mustStop = <Tools>({ gate, engine }: Chunk<Tools>): boolean => gate.isClosed || engine.draining.aborted

/** What a step is given; a call whose intent is on record has a time by which it must have left. */
export const turnOf = <Tools>({ engine, account, gate }: Chunk<Tools>, isTooLate?: () => boolean): Tools & Turn => {
  const { tools, draining, giveUp, clock } = engine
  // The outcome of a spending call that is cut off is unknown, so it may end by itself; any other is simply asked again.
  const signal = isTooLate ? giveUp : draining
  return { ...tools, account, now: clock(), call: { signal, isTooLate, gate } }
}

/**
 * Opened before an intent is recorded; says when its call may no longer leave, because others may judge it from then on.
 *
 * Both clocks of this machine must agree that there is time: the monotonic one never steps, and the wall clock counts the
 * time during which the machine was suspended.
 */
export const openSendWindow = ({ engine, payload }: Chunk<unknown>): (() => boolean) => {
  const ms = sendWindowMs(engine.patience(payload.kind).requestTimeoutMs)
  const [monotonic, wall] = [performance.now(), Date.now()]
  return () => performance.now() - monotonic > ms || Math.abs(Date.now() - wall) > ms
}

/**
 * Writes down how the step of a look-up ended; the first ending that holds the lane holds it for everyone.
 *
 * What a call became whose intent is on record is in doubt until that is written, so it is waited for; any other is not.
 */
export const endTurn = async <Tools>(chunk: Chunk<Tools>, lookup: Lookup, how: Ending): Promise<void> => {
  const { engine, job, payload } = chunk
  if (how.is === 'held') chunk.held ??= hold(chunk, how)
  const ending = payload.state === 'sending' ? whileJudging(how) : isPaid(payload) ? whilePaying(how) : how
  if (answers.includes(ending.is)) chunk.isAnswered = true
  const patience = { ...engine.patience(lookup.kind), retries: job.retries }
  const intent = intentOf(payload, lookup)
  const written = chunk.writer.add(advance(lookup, ending, patience, engine.clock()), intent)
  if (intent) await written
}

const isPaid = ({ state, kind }: ChunkPayload): boolean => state === 'queued' && spendingKinds.includes(kind)

/** Nothing of the lane may be bought, though nothing was sent to find it out. */
export const holdUnsent = <Tools>(chunk: Chunk<Tools>, obstacle: Obstacle): void => {
  chunk.held ??= hold(chunk, { is: 'held', ...obstacle })
}

/** When the intent of a call was recorded; null for a step that needs none. */
const intentOf = (payload: ChunkPayload, lookup: Lookup): Date | null =>
  payload.state === 'queued' && lookup.state === 'sending' ? lookup.sendingAt : null

/** Endings that show that the registry is there again; its list is as good an answer as any. */
const answers: Ending['is'][] = ['ok', 'accepted', 'later', 'adopted', 'absent', 'unproven', 'undecided']

const hold = <Tools>({ engine, payload, gate }: Chunk<Tools>, how: Extract<Ending, { is: 'held' }>): Promise<void> => {
  gate.close()
  return stopLane(engine, payload, how)
    .catch((error) => engine.log.error({ cause: how.cause, err: error }, 'lane could not be held'))
    .finally(() => gate.replace())
}
