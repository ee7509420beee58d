import type { Bench } from './bench.ts'

/** The results of one round, both in the line's unit: what the machine can do, and what Vigia did. */
export type Pair = { limit: number; vigia: number }

/** A ratio of Vigia to its limit, or (`overAtMost`) what Vigia adds to it. */
export type Goal = { atLeast: number } | { atMost: number } | { overAtMost: number }

/** One line of the table. A round measures the limit and then Vigia, so that both have the same conditions. */
export type Line = {
  name: string
  /** What is divided by what, as the table shows it. */
  what: string
  unit: string
  goal: Goal
  /** The limit that even a quick run must meet: the figure does not depend on the machine. */
  held?: Goal
  /** A quick run leaves it out, unless it is asked for by name. */
  fullOnly?: boolean
  round(bench: Bench, round: number): Promise<Pair>
}
