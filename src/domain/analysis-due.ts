import { freshSinceOf } from './fresh-since.ts'

/** What makes a sweep buy the analysis of a radar anew: free figures that moved, the age of the last one, or either. */
export const analysisTriggers = ['change', 'age', 'both'] as const
export type AnalysisTrigger = (typeof analysisTriggers)[number]

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
