import { type Classification, classifications } from './classifications.ts'

/** How much each class counts in a ranking; a class that is not there counts nothing. */
export type Weights = Partial<Record<Classification, number>>

/** What threatens whoever lends: being sued, and being enforced against, at risk. */
export const defaultWeights: Weights = { ISDEFENDANT_WITH_RISK: 1, EXECUTION_WITH_RISK: 1 }

/** One class of a place in a ranking: its figures, and how much they count. */
export type Addend = { key: Classification; weight: number; count: number | null; cents: bigint | null }

type Figures = { counts: readonly (number | null)[]; cents: readonly (bigint | null)[] | null }

/**
 * What a place in a ranking is made of, so that nobody faces a figure that cannot be explained. Classes overlap in a way
 * that the registry does not tell: the sum orders, and says nothing else.
 */
export const addendsOf = ({ counts, cents }: Figures, weights: Weights): Addend[] =>
  classifications.flatMap((key, i) => {
    const weight = weights[key] ?? 0
    return weight > 0 ? [{ key, weight, count: counts[i] ?? null, cents: cents?.[i] ?? null }] : []
  })

/** The sum of amounts by which a place is ranked; null where the registry told none of them. */
export const scoreOf = (addends: readonly Addend[]): bigint | null =>
  addends.every(({ cents }) => cents === null)
    ? null
    : addends.reduce((sum, { weight, cents }) => sum + (cents ?? 0n) * BigInt(weight), 0n)
