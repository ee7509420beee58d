import type { HoldCause } from './call-failure.ts'

/** How long a held lane waits before one call tries it: twice as long after each try in vain. */
export type Pauses = { firstMs: number; longestMs: number }

type HoldEnd = {
  /** What is wrong with the one token is wrong for every lane. */
  holds: 'lane' | 'every_lane'
  /** When one call tries whether the cause is gone; `never`: a person's word to the lane alone ends the hold. */
  tried: Pauses | 'next_day' | 'never'
  /** Waiting is not enough: a person has to do something about the cause. */
  mustAct: boolean
  /** What a person can do; `nothing`: nobody could make it go on sooner. */
  todo: string
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * What ends a hold, by its cause: the one answer for engine, command line, API, page, letters and the rules for the pager.
 * What only a person can mend is tried rarely.
 */
export const holdEnds = {
  outage: {
    holds: 'lane',
    tried: { firstMs: 2 * second, longestMs: minute },
    mustAct: false,
    todo: 'nothing',
  },
  list: {
    holds: 'lane',
    tried: { firstMs: 5 * second, longestMs: minute },
    mustAct: false,
    todo: 'nothing',
  },
  token: {
    holds: 'every_lane',
    tried: { firstMs: 15 * second, longestMs: 10 * minute },
    mustAct: true,
    todo: 'renew_token',
  },
  plan: { holds: 'lane', tried: { firstMs: minute, longestMs: hour }, mustAct: true, todo: 'extend_plan' },
  denied: { holds: 'lane', tried: { firstMs: 5 * minute, longestMs: 6 * hour }, mustAct: true, todo: 'restore_access' },
  refused: {
    holds: 'lane',
    tried: { firstMs: 15 * second, longestMs: 10 * minute },
    mustAct: true,
    todo: 'settle_refusal',
  },
  fetch_refused: {
    holds: 'lane',
    tried: { firstMs: 15 * second, longestMs: 10 * minute },
    mustAct: true,
    todo: 'settle_refusal',
  },
  budget: { holds: 'lane', tried: 'next_day', mustAct: false, todo: 'raise_budget' },
  operator: { holds: 'lane', tried: 'never', mustAct: true, todo: 'resume_lane' },
} as const satisfies Record<HoldCause, HoldEnd>

/** So many look-ups in a row that are refused alike, none answered between them, concern the lane and not each of them. */
export const refusedAlike = 5

/** Nobody need wait for what is not tried within minutes: it goes on when a person does something, or the next day. */
export const needsPerson = (cause: HoldCause): boolean => {
  const { tried } = holdEnds[cause]
  return typeof tried === 'string' || tried.longestMs > 10 * minute
}
