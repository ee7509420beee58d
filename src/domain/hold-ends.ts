import type { HoldCause } from './call-failure.ts'

type HoldEnd = {
  /** When, at the latest, one call tries whether the cause is gone; `never`: a person's word to the lane alone ends the hold. */
  tried: 'within_minutes' | 'within_hours' | 'next_day' | 'never'
  /** Waiting is not enough: a person has to do something about the cause. */
  mustAct: boolean
  /** What a person can do; `nothing`: nobody could make it go on sooner. */
  todo: string
}

/** What ends a hold, by its cause: the one answer for command line, API, page, letters and the rules for the pager. */
export const holdEnds = {
  outage: { tried: 'within_minutes', mustAct: false, todo: 'nothing' },
  list: { tried: 'within_minutes', mustAct: false, todo: 'nothing' },
  token: { tried: 'within_minutes', mustAct: true, todo: 'renew_token' },
  plan: { tried: 'within_hours', mustAct: true, todo: 'extend_plan' },
  denied: { tried: 'within_hours', mustAct: true, todo: 'restore_access' },
  budget: { tried: 'next_day', mustAct: false, todo: 'raise_budget' },
  operator: { tried: 'never', mustAct: true, todo: 'resume_lane' },
} as const satisfies Record<HoldCause, HoldEnd>

/** Nobody need wait for what is not tried within minutes: it goes on when a person does something, or the next day. */
export const needsPerson = (cause: HoldCause): boolean => holdEnds[cause].tried !== 'within_minutes'
