import { draws } from '../../src/sandbox/data/hash.ts'

/** A random source that a seed makes repeatable. */
export type Random = {
  /** In [0, 1). */
  next(): number
  /** An integer between the two, both included. */
  between(least: number, most: number): number
  pick<T>(from: readonly T[]): T
}

export const seededRandom = (seed: number): Random => {
  const next = draws(seed)
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    pick: (from) => {
      if (from.length === 0) throw new Error('There is nothing to pick from')
      return from[between(0, from.length - 1)]!
    },
  }
}
