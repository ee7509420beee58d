import type { HoldCause } from '../domain/call-failure.ts'
import { type Kind, kinds } from '../domain/kind.ts'
import { inEnglish } from '../domain/said/english.ts'
import type { Said } from '../domain/said/said.ts'
import { freeLane, freeLaneHeldFor, freeLanesHeldFor, holdLane } from '../store/fleet/lanes.ts'
import type { Engine } from './engine.ts'

type Lane = { organizationId: number; kind: Kind }

type Hold = { cause: HoldCause; reason: Said; retryAfterMs?: number }

/**
 * Stops a lane, says so once, and notes when one call may try whether the cause is gone: when the refusal itself says
 * so, since a call before that would be refused unheard.
 */
export const stopLane = async <Tools>(engine: Engine<Tools>, lane: Lane, hold: Hold): Promise<void> => {
  const { cause, reason, retryAfterMs } = hold
  const now = engine.clock()
  const told = retryAfterMs === undefined ? null : new Date(now.getTime() + retryAfterMs)
  const trial = { trialAt: told ?? nextTrial(engine, cause, 0, now), exactly: told !== null }
  const lanes = cause === 'token' ? everyLane(engine) : [lane]
  const first = await Promise.all(lanes.map((each) => holdLane(engine.sql, each, { cause, reason, ...trial }, now)))
  if (!first.some(Boolean)) return
  engine.log.error({ lane: `${lane.organizationId}/${lane.kind}`, cause, reason: inEnglish(reason) }, 'lane held')
}

/** A trial came through: what held the lane is gone. */
export const laneAnswers = async <Tools>(engine: Engine<Tools>, lane: Lane): Promise<void> => {
  const freed = (await freeLane(engine.sql, lane)) ? 1 : 0
  const withToken = await freeLanesHeldFor(engine.sql, 'token')
  if (freed + withToken === 0) return
  engine.log.info({ lane: `${lane.organizationId}/${lane.kind}` }, 'lane goes on')
  engine.wake()
}

/** The list could be read: what was held for it alone goes on, though the trial itself may have nothing to buy. */
export const listAnswers = async <Tools>(engine: Engine<Tools>, lane: Lane): Promise<void> => {
  if (!(await freeLaneHeldFor(engine.sql, lane, 'list'))) return
  engine.log.info({ lane: `${lane.organizationId}/${lane.kind}` }, 'lane goes on')
  engine.wake()
}

export const nextTrial = <Tools>(engine: Engine<Tools>, cause: HoldCause, trials: number, now: Date): Date | null => {
  if (cause === 'operator') return null
  if (cause === 'budget') return engine.tomorrow(now)
  return new Date(now.getTime() + trialDelayMs(cause, trials))
}

const everyLane = <Tools>({ accounts }: Engine<Tools>): Lane[] =>
  accounts.flatMap(({ organizationId }) => kinds.map((kind) => ({ organizationId, kind })))

/** First and longest pause before one call tries a held lane again. What only a person can mend is tried rarely. */
const pauses: Record<Exclude<HoldCause, 'budget' | 'operator'>, { firstMs: number; longestMs: number }> = {
  outage: { firstMs: 2_000, longestMs: 60_000 },
  list: { firstMs: 5_000, longestMs: 60_000 },
  token: { firstMs: 15_000, longestMs: 600_000 },
  plan: { firstMs: 60_000, longestMs: 3_600_000 },
  denied: { firstMs: 300_000, longestMs: 21_600_000 },
}

export const trialDelayMs = (cause: keyof typeof pauses, trials: number): number => {
  const { firstMs, longestMs } = pauses[cause]
  return Math.min(longestMs, firstMs * 2 ** Math.min(trials, 20))
}
