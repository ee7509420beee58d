/** A well distributed 32-bit number from a text: the source of all generated data. */
export const hash = (text: string, seed: number): number => {
  let mixed = seed ^ 0x811c9dc5
  for (let i = 0; i < text.length; i++) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x01000193)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** The same text and seed give the same number in [0, 1). */
export const share = (text: string, seed: number): number => hash(text, seed) / 0x1_0000_0000

export type Draw = () => number

/** An endless sequence of numbers in [0, 1) from one number (mulberry32). */
export const draws = (start: number): Draw => {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

export const integerBetween = (draw: Draw, low: number, high: number): number =>
  low + Math.floor(draw() * (high - low + 1))

export const oneOf = <T>(draw: Draw, choices: readonly T[]): T => choices[Math.floor(draw() * choices.length)] as T
