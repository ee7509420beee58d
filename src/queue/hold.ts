import type { HoldCause } from '../domain/call-failure.ts'
import { type Kind, kinds } from '../domain/kind.ts'
import { probeDelayMs } from '../domain/probe.ts'
import { freeLane, freeLanesHeldFor, holdLane as writeHold } from '../store/lanes.ts'
import type { Engine } from './engine.ts'

type Lane = { organizationId: number; kind: Kind }

/** Stops a lane, says so once, and notes when one call may try whether the cause is gone. */
export const holdLane = async <Tools>(
  engine: Engine<Tools>,
  lane: Lane,
  cause: HoldCause,
  reason: string,
): Promise<void> => {
  const now = engine.clock()
  const probeAt = nextProbe(engine, cause, 0, now)
  const lanes = cause === 'token' ? everyLane(engine) : [lane]
  const first = await Promise.all(
    lanes.map((each) => writeHold(engine.sql, each, { cause, detail: reason, probeAt }, now)),
  )
  if (!first.some(Boolean)) return
  engine.log.error({ lane: `${lane.organizationId}/${lane.kind}`, cause, reason }, 'lane held')
  engine.alert({ ...lane, cause, reason })
}

/** A probe came through: what held the lane is gone. */
export const laneAnswers = async <Tools>(engine: Engine<Tools>, lane: Lane): Promise<void> => {
  const freed = (await freeLane(engine.sql, lane)) ? 1 : 0
  const withToken = await freeLanesHeldFor(engine.sql, 'token')
  if (freed + withToken === 0) return
  engine.log.info({ lane: `${lane.organizationId}/${lane.kind}` }, 'lane goes on')
  engine.wake()
}

export const nextProbe = <Tools>(engine: Engine<Tools>, cause: HoldCause, probes: number, now: Date): Date | null => {
  if (cause === 'operator') return null
  if (cause === 'budget') return engine.tomorrow(now)
  return new Date(now.getTime() + probeDelayMs(cause, probes))
}

const everyLane = <Tools>({ accounts }: Engine<Tools>): Lane[] =>
  accounts.flatMap(({ organizationId }) => kinds.map((kind) => ({ organizationId, kind })))
