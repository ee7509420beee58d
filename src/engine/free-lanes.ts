import {
  beginTrial,
  freeIdleLanes,
  freeLanesHeldFor,
  freeLanesProvenBy,
  type Hold,
  heldLanes,
} from '../store/fleet/lanes.ts'
import { spentOn } from '../store/purchases/spending.ts'
import type { Engine } from './engine.ts'
import { nextTrial } from './hold.ts'

/** What is known of the fleet's token here, and one call that costs nothing to find out. */
export type TokenSigns = { provenAt(): Date | null; works(signal: AbortSignal): Promise<boolean> }

type Holds = Pick<Engine, 'sql' | 'clock' | 'log' | 'wake' | 'draining' | 'tomorrow' | 'today' | 'budgetPerDay'>

/** Whoever has a look-up for a trial makes it four times a second; a trial that waits so long will never come. */
const graceMs = 5_000
/** An operation that refuses every token, while others accept it, must not hold and free all lanes each second. */
const quietMs = 15_000

/** A look for lanes that nothing holds any more, to be taken once a second. */
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
 * A hold for the token holds every lane, and most of them have nothing to do: whichever call is let in frees them all,
 * and where none of them has anything to send, a call that costs nothing is made in its place. Any other hold of a lane
 * without work ends when its trial is due. A hold for the day's budget ends as soon as the day has units left: some were
 * given back. Says how many were freed because the token works.
 */
export const freeLanes = async (engine: Holds, token: TokenSigns): Promise<number> => {
  const held = await heldLanes(engine.sql)
  if (held.length === 0) return 0
  const overdueAt = new Date(engine.clock().getTime() - graceMs)
  const freed = await freeTokenLanes(engine, token, held, overdueAt)
  const idle = await freeIdleLanes(engine.sql, overdueAt)
  const affordable = (await hasUnitsLeft(engine, held)) ? await freeLanesHeldFor(engine.sql, 'budget') : 0
  if (freed > 0) engine.log.info({ lanes: freed }, 'the token works: lanes go on')
  if (idle.length > 0) engine.log.info({ lanes: idle }, 'lanes without work are held no longer')
  if (affordable > 0) engine.log.info({ lanes: affordable }, 'the day has units left: lanes go on')
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

/** The next trial of them all is put off first: of all workers one makes the call. */
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
