import type { HoldCause } from '../domain/call-failure.ts'
import { holdEnds, type Pauses } from '../domain/hold-ends.ts'
import { type Kind, kinds } from '../domain/kind.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import { freeLane, freeLaneHeldFor, freeLanesHeldFor, holdLane } from '../store/fleet/lanes.ts'
import type { Engine } from './engine.ts'

type Lane = { organizationId: number; kind: Kind }

type Hold = { cause: HoldCause; reason: Message; retryAfterMs?: number }

/**
 * Stops a lane, raises one alert, and records when one call may try whether the cause is gone. If the refusal names a time,
 * it is not tried before that, because the call would be refused anyway.
 */
export const stopLane = async <Tools>(engine: Engine<Tools>, lane: Lane, hold: Hold): Promise<void> => {
  const { cause, reason, retryAfterMs } = hold
  const now = engine.clock()
  const retryAt = retryAfterMs === undefined ? null : new Date(now.getTime() + retryAfterMs)
  const trial = { trialAt: retryAt ?? nextTrial(engine, cause, 0, now), exactly: retryAt !== null }
  const lanes = holdEnds[cause].holds === 'every_lane' ? everyLane(engine) : [lane]
  const first = await Promise.all(lanes.map((each) => holdLane(engine.sql, each, { cause, reason, ...trial }, now)))
  if (!first.some(Boolean)) return
  engine.log.error({ lane: `${lane.organizationId}/${lane.kind}`, cause, reason: inEnglish(reason) }, 'lane held')
}

/** A trial succeeded: what held the lane is gone. */
export const laneAnswers = async <Tools>(engine: Engine<Tools>, lane: Lane): Promise<void> => {
  const freed = (await freeLane(engine.sql, lane)) ? 1 : 0
  const withToken = await freeLanesHeldFor(engine.sql, 'token')
  if (freed + withToken === 0) return
  engine.log.info({ lane: `${lane.organizationId}/${lane.kind}` }, 'lane resumed')
  engine.wake()
}

/** The list was read, so a hold for the list alone ends, though the trial itself may have nothing to buy. */
export const listAnswers = async <Tools>(engine: Engine<Tools>, lane: Lane): Promise<void> => {
  if (!(await freeLaneHeldFor(engine.sql, lane, 'list'))) return
  engine.log.info({ lane: `${lane.organizationId}/${lane.kind}` }, 'lane resumed')
  engine.wake()
}

export const nextTrial = (
  { tomorrow }: Pick<Engine, 'tomorrow'>,
  cause: HoldCause,
  trials: number,
  now: Date,
): Date | null => {
  const { tried } = holdEnds[cause]
  if (tried === 'never') return null
  if (tried === 'next_day') return tomorrow(now)
  return new Date(now.getTime() + pauseMs(tried, trials))
}

const pauseMs = ({ firstMs, longestMs }: Pauses, trials: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(trials, 20))

const everyLane = <Tools>({ accounts }: Engine<Tools>): Lane[] =>
  accounts.flatMap(({ organizationId }) => kinds.map((kind) => ({ organizationId, kind })))
