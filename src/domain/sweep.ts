import type { Message } from '../messages/message.ts'
import { dayBefore, isBusinessDay, localDay, localMinute } from './calendar.ts'
import { freshSinceOf } from './duration.ts'

/** What a sweep proved: how many documents were due, verified and changed, and why the rest was not verified. */
export type Coverage = { due: number; verified: number; changed: number; unverified: Record<string, number> }

/** `1,240 of 1,247 verified, 31 changed, 7 not verified because 5 processes timed out, 2 analysis denied` */
export const coverageSentence = ({ due, verified, changed, unverified }: Coverage): string => {
  const missing = due - verified
  const reasons = Object.entries(unverified)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${grouped(count)} ${reason}`)
  const why = missing > 0 ? `, ${grouped(missing)} not verified because ${reasons.join(', ') || 'nobody knows'}` : ''
  return `${grouped(verified)} of ${grouped(due)} verified, ${grouped(changed)} changed${why}`
}

const grouped = (count: number): string => count.toLocaleString('en-US')

/** What a list of radars is compared with: the size of the mirror, and how many of its radars the list no longer shows. */
type ListSize = { complete: boolean; listed: number; mirrored: number; missing: number }

/**
 * Why a list of radars is rejected; null if it is accepted.
 *
 * A list that lost more than a fifth overnight is far more often cut short than true, and accepting it would end the
 * monitoring of everyone who is missing. A person decides.
 */
export const suspicionOf = ({ complete, listed, mirrored, missing }: ListSize): Message | null => {
  if (!complete) return ['list_cut']
  if (listed === 0 && mirrored > 0) return ['list_empty', mirrored]
  if (missing * 5 > mirrored) return ['list_short', missing, mirrored]
  return null
}

/** What makes a sweep buy the analysis of a radar anew: free figures that moved, the age of the last one, or either. */
export const analysisTriggers = ['change', 'age', 'both'] as const
type AnalysisTrigger = (typeof analysisTriggers)[number]

/** `analysisEvery` in milliseconds; null: never by age. */
export type AnalysisTerms = { analysisOn: AnalysisTrigger; analysisEvery: number | null }

/**
 * Analyses from before this moment are bought anew, and so is one that is missing; null: none is bought for its age.
 *
 * `change` alone has no age, so any analysis serves until a figure moves.
 */
export const analysesSince = ({ analysisOn, analysisEvery }: AnalysisTerms, now: Date): Date | null => {
  if (analysisOn === 'change') return new Date(0)
  return analysisEvery === null ? null : freshSinceOf({ freshness: analysisEvery }, now)
}

/** Whether a moved figure buys an analysis. `both` without an age buys none: whoever set that wanted no paid sweeps. */
export const followsFigures = ({ analysisOn, analysisEvery }: AnalysisTerms): boolean =>
  analysisOn === 'change' || (analysisOn === 'both' && analysisEvery !== null)

/** The figures of a document that cost nothing: the count of lawsuits (Interface 4.7) and two totals of the list (4.6). */
export const freeFigures = ['processes', 'totalRisk', 'totalAnalyzed'] as const
export type FreeFigure = (typeof freeFigures)[number]
export type FreeFigures = Record<FreeFigure, number | null>

/**
 * The first free figure that moved since the analysis; null if none did. What was not read on either side did not move.
 *
 * `before` must have been read after the analysis was ready: buying it may itself have moved what the registry shows.
 */
export const movedFigure = (before: FreeFigures, now: FreeFigures): FreeFigure | null =>
  freeFigures.find((name) => before[name] !== null && now[name] !== null && before[name] !== now[name]) ?? null

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
