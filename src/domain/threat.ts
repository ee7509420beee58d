import { type Classification, classifications } from './classifications.ts'

/** How much each class counts in a ranking; a missing class does not count. */
export type Weights = Partial<Record<Classification, number>>

/** What threatens a lender: being sued, and being enforced against, at risk. */
export const defaultWeights: Weights = { ISDEFENDANT_WITH_RISK: 1, EXECUTION_WITH_RISK: 1 }

/** One class of a ranked document: its figures and its weight. */
export type Addend = { key: Classification; weight: number; count: number | null; cents: bigint | null }

type Figures = { counts: readonly (number | null)[]; cents: readonly (bigint | null)[] | null }

/**
 * The parts of a ranked document's score, so that every figure can be explained. Classes overlap in a way that the registry
 * does not document: the sum is only good for ordering.
 */
export const addendsOf = ({ counts, cents }: Figures, weights: Weights): Addend[] =>
  classifications.flatMap((key, i) => {
    const weight = weights[key] ?? 0
    return weight > 0 ? [{ key, weight, count: counts[i] ?? null, cents: cents?.[i] ?? null }] : []
  })

/** The sum of amounts that ranks a document; null if the registry sent none of them. */
export const scoreOf = (addends: readonly Addend[]): bigint | null =>
  addends.every(({ cents }) => cents === null)
    ? null
    : addends.reduce((sum, { weight, cents }) => sum + (cents ?? 0n) * BigInt(weight), 0n)
