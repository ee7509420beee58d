/** Chance that can be repeated. */
export type Dice = {
  next(): number
  below(count: number): number
  between(from: number, to: number): number
  pick<T>(list: readonly T[]): T
  chance(share: number): boolean
}

export const createDice = (seed: number): Dice => {
  let state = (seed ^ 0x9e3779b9) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    next,
    below,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (list) => list[below(list.length)]!,
    chance: (share) => next() < share,
  }
}
