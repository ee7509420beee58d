import { isBusinessDay, localDay, localMinute } from './calendar.ts'

/** The service objective: every radar verified by this time, on this share of nights. */
export const objective = { by: '06:00', share: 0.99, nights: 90 }

type NightSweep = { state: string; due: number; verified: number; startedAt: Date; finishedAt: Date | null }

/** How many of the last nights there were, and on how many of them everything was verified in time. */
export type KeptNights = { nights: number; kept: number }

/**
 * Counts the nights from the first known sweep to the last one whose deadline has passed. A night without a sweep counts as
 * missed, unless no sweep was due.
 */
export const keptNights = (
  sweeps: readonly NightSweep[],
  { now, timezone, businessDaysOnly }: { now: Date; timezone: string; businessDaysOnly: boolean },
): KeptNights => {
  const days = daysOf(sweeps, now, timezone).filter((day) => !businessDaysOnly || isBusinessDay(day))
  const kept = new Set(
    sweeps.filter((sweep) => isKept(sweep, timezone)).map((sweep) => localDay(sweep.startedAt, timezone)),
  )
  return { nights: days.length, kept: days.filter((day) => kept.has(day)).length }
}

const isKept = ({ state, due, verified, startedAt, finishedAt }: NightSweep, timezone: string): boolean =>
  state === 'done' &&
  verified >= due &&
  finishedAt !== null &&
  localMinute(finishedAt, timezone) <= `${localDay(startedAt, timezone)}T${objective.by}`

const daysOf = (sweeps: readonly NightSweep[], now: Date, timezone: string): string[] => {
  const first = sweeps.map(({ startedAt }) => localDay(startedAt, timezone)).sort()[0]
  const today = localDay(now, timezone)
  const last = localMinute(now, timezone) >= `${today}T${objective.by}` ? today : dayBefore(today)
  const days: string[] = []
  for (let day = last; first && day >= first && days.length < objective.nights; day = dayBefore(day)) days.push(day)
  return days
}

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
