import type { HoldCause } from '../domain/call-failure.ts'
import { holdEnds } from '../domain/hold-ends.ts'
import { type Kind, kinds } from '../domain/kind.ts'
import { inEnglish } from '../messages/message.ts'
import type { Obstacle } from '../purchases/check-purchases.ts'
import {
  beginTrial,
  freeIdleLanes,
  freeLane,
  freeLaneHeldFor,
  freeLanesHeldFor,
  freeLanesProvenBy,
  type Hold,
  heldLanes,
  holdLane,
} from '../store/fleet/lanes.ts'
import { spentOn } from '../store/purchases/spending.ts'
import type { Engine } from './engine.ts'

type Lane = { organizationId: number; kind: Kind }

/**
 * Stops a lane, raises one alert, and records when one call may try whether the cause is gone. If the refusal names a time,
 * it is not tried before that, because the call would be refused anyway.
 */
export const stopLane = async <Tools>(engine: Engine<Tools>, lane: Lane, hold: Obstacle): Promise<void> => {
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
  const { firstMs, longestMs } = tried
  return new Date(now.getTime() + Math.min(longestMs, firstMs * 2 ** Math.min(trials, 20)))
}

const everyLane = <Tools>({ accounts }: Engine<Tools>): Lane[] =>
  accounts.flatMap(({ organizationId }) => kinds.map((kind) => ({ organizationId, kind })))

/** What this worker knows of the fleet's token, and one free call that tests it. */
export type TokenSigns = { provenAt(): Date | null; works(signal: AbortSignal): Promise<boolean> }

type Holds = Pick<Engine, 'sql' | 'clock' | 'log' | 'wake' | 'draining' | 'tomorrow' | 'today' | 'budgetPerDay'>

/** A worker with a look-up for a trial makes it within a quarter of a second; after this time no trial will come. */
const graceMs = 5_000
/** If one operation refuses every token while others accept it, lanes must not be held and freed every second. */
const quietMs = 15_000

/** Frees lanes whose hold has no cause left; to be called every few seconds. */
export const createLaneFreer = (engine: Holds, token: TokenSigns): (() => Promise<void>) => {
  let quietUntil = 0
  const signs = { ...token, provenAt: () => (performance.now() < quietUntil ? null : token.provenAt()) }
  return async () => {
    if ((await freeLanes(engine, signs)) > 0) quietUntil = performance.now() + quietMs
  }
}

/**
 * Frees the lanes whose cause is gone and where no look-up would find that out.
 *
 * A hold for the token holds every lane, and most of them have nothing to do. The first call that is accepted frees them
 * all; if none of them has anything to send, a free call is made instead. Any other hold of a lane without work ends when
 * its trial is due. A hold for the day's budget ends as soon as the day has units left, because some were given back.
 * Returns how many were freed because the token works.
 */
export const freeLanes = async (engine: Holds, token: TokenSigns): Promise<number> => {
  const held = await heldLanes(engine.sql)
  if (held.length === 0) return 0
  const overdueAt = new Date(engine.clock().getTime() - graceMs)
  const freed = await freeTokenLanes(engine, token, held, overdueAt)
  const idle = await freeIdleLanes(engine.sql, overdueAt)
  const affordable = (await hasUnitsLeft(engine, held)) ? await freeLanesHeldFor(engine.sql, 'budget') : 0
  if (freed > 0) engine.log.info({ lanes: freed }, 'the token works: lanes resumed')
  if (idle.length > 0) engine.log.info({ lanes: idle }, 'lanes without work freed')
  if (affordable > 0) engine.log.info({ lanes: affordable }, 'the day has units left: lanes resumed')
  if (freed + idle.length + affordable > 0) engine.wake()
  return freed
}

const hasUnitsLeft = async ({ sql, clock, today, budgetPerDay }: Holds, held: Hold[]): Promise<boolean> =>
  held.some(({ cause }) => cause === 'budget') &&
  (budgetPerDay === null || (await spentOn(sql, today(clock()))) < budgetPerDay)

const freeTokenLanes = async (engine: Holds, token: TokenSigns, held: Hold[], overdueAt: Date): Promise<number> => {
  const lanes = held.filter(({ cause }) => cause === 'token')
  if (lanes.length === 0) return 0
  const provenAt = token.provenAt()
  const proven = provenAt ? await freeLanesProvenBy(engine.sql, provenAt) : 0
  if (proven > 0) return proven
  const overdue = lanes.filter(({ trialAt }) => trialAt && trialAt <= overdueAt)
  if (!(await beginTrials(engine, overdue)) || !(await token.works(engine.draining))) return 0
  return freeLanesHeldFor(engine.sql, 'token')
}

/** The next trial of all of them is postponed first, so that only one worker makes the call. */
const beginTrials = async (engine: Holds, lanes: Hold[]): Promise<boolean> => {
  if (lanes.length === 0) return false
  const now = engine.clock()
  return engine.sql.begin(async (tx) => {
    let begun = 0
    for (const lane of lanes) {
      if (await beginTrial(tx, lane, now, (cause, trials) => nextTrial(engine, cause, trials, now))) begun++
    }
    return begun > 0
  })
}
