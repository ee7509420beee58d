import type { HoldCause } from './call-failure.ts'

type HoldEnd = {
  /** When, at the latest, one call tries whether the cause is gone; `never`: a person's word to the lane alone ends the hold. */
  tried: 'within_minutes' | 'within_hours' | 'next_day' | 'never'
  /** Waiting is not enough: a person has to do something about the cause. */
  needsPerson: boolean
  /** What a person can do; `nothing`: nobody could make it go on sooner. */
  todo: string
}

/** What ends a hold, by its cause: the one answer for command line, API, page, letters and the rules for the pager. */
export const holdEnds = {
  outage: { tried: 'within_minutes', needsPerson: false, todo: 'nothing' },
  list: { tried: 'within_minutes', needsPerson: false, todo: 'nothing' },
  token: { tried: 'within_minutes', needsPerson: true, todo: 'renew_token' },
  plan: { tried: 'within_hours', needsPerson: true, todo: 'extend_plan' },
  denied: { tried: 'within_hours', needsPerson: true, todo: 'restore_access' },
  budget: { tried: 'next_day', needsPerson: false, todo: 'raise_budget' },
  operator: { tried: 'never', needsPerson: true, todo: 'resume_lane' },
} as const satisfies Record<HoldCause, HoldEnd>
