import type { Goal, Line, Pair } from './line.ts'

export type Outcome = {
  name: string
  what: string
  unit: string
  goal: string
  limit: number
  vigia: number
  /** Vigia ÷ limit, or Vigia − limit where the goal is about what Vigia adds. */
  value: number
  met: boolean
  /** Within the limit that even a quick run must meet. */
  holds: boolean
  rounds: Pair[]
}

/** The medians of all rounds, compared with the goal. */
export const outcomeOf = ({ name, what, unit, goal, held }: Line, rounds: Pair[]): Outcome => {
  const limit = median(rounds.map((pair) => pair.limit))
  const vigia = median(rounds.map((pair) => pair.vigia))
  const value = 'overAtMost' in goal ? vigia - limit : vigia / limit
  const [met, holds] = [isMet(goal, value), !held || isMet(held, value)]
  return { name, what, unit, goal: tokensOf(goal, unit), limit, vigia, value, met, holds, rounds }
}

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const isMet = (goal: Goal, value: number): boolean => {
  if ('atLeast' in goal) return value >= goal.atLeast
  return value <= ('atMost' in goal ? goal.atMost : goal.overAtMost)
}

const tokensOf = (goal: Goal, unit: string): string => {
  if ('atLeast' in goal) return `≥ ${goal.atLeast}`
  return 'atMost' in goal ? `≤ ${goal.atMost}` : `≤ +${goal.overAtMost.toLocaleString('en')} ${unit}`
}
