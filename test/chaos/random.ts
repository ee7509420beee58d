/** A random source that a seed makes repeatable. */
export type Random = {
  /** In [0, 1). */
  next(): number
  /** An integer between the two, both included. */
  between(least: number, most: number): number
  pick<T>(from: readonly T[]): T
}

/** Mulberry32: small, evenly distributed, and the same on all machines. */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
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
