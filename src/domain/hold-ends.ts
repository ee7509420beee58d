import type { HoldCause } from './call-failure.ts'

/** How long a held lane waits before one call tries it. The wait doubles after each failed try. */
type Pauses = { firstMs: number; longestMs: number }

type HoldEnd = {
  /** A token that does not work stops every lane, because all lanes share it. */
  holds: 'lane' | 'every_lane'
  /** When one call tries whether the cause is gone; `never`: only a person's command for this lane ends the hold. */
  tried: Pauses | 'next_day' | 'never'
  /** Waiting is not enough: a person has to fix the cause. */
  mustAct: boolean
  /** What a person can do; `nothing`: nobody can end the hold sooner. */
  todo: string
}

const pauses = (firstMs: number, longestMs: number): Pauses => ({ firstMs, longestMs })

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * What ends a hold, by its cause. Engine, command line, API, page, messages and alert rules all use this table. What only a
 * person can fix is tried rarely.
 */
export const holdEnds = {
  outage: { holds: 'lane', tried: pauses(2 * second, minute), mustAct: false, todo: 'nothing' },
  list: { holds: 'lane', tried: pauses(5 * second, minute), mustAct: false, todo: 'nothing' },
  token: { holds: 'every_lane', tried: pauses(15 * second, 10 * minute), mustAct: true, todo: 'renew_token' },
  plan: { holds: 'lane', tried: pauses(minute, hour), mustAct: true, todo: 'extend_plan' },
  denied: { holds: 'lane', tried: pauses(5 * minute, 6 * hour), mustAct: true, todo: 'restore_access' },
  refused: { holds: 'lane', tried: pauses(15 * second, 10 * minute), mustAct: true, todo: 'settle_refusal' },
  fetch_refused: { holds: 'lane', tried: pauses(15 * second, 10 * minute), mustAct: true, todo: 'settle_refusal' },
  budget: { holds: 'lane', tried: 'next_day', mustAct: false, todo: 'raise_budget' },
  operator: { holds: 'lane', tried: 'never', mustAct: true, todo: 'resume_lane' },
} as const satisfies Record<HoldCause, HoldEnd>

/** After this many equal refusals in a row, with no answer between them, the cause is the lane and not each look-up. */
export const refusedAlike = 5
/** The same for refusals whose text differs, because it holds the number of the request or alternates. */
export const refusedUnlike = 20

/**
 * What such a run holds its lane for. A refusal that names its cause keeps it; but a plan that refuses what was paid for
 * may sell, so that fetching alone is refused.
 */
export const causeOfRun = (named: HoldCause | null, isFetching: boolean): HoldCause => {
  if (named === 'denied' || (named === 'plan' && !isFetching)) return named
  return isFetching ? 'fetch_refused' : 'refused'
}

/** Whether a person should be called: the lane is not tried within minutes, but after a person acts, or the next day. */
export const needsPerson = (cause: HoldCause): boolean => {
  const { tried } = holdEnds[cause]
  return typeof tried === 'string' || tried.longestMs > 10 * minute
}
