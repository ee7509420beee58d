/** The candidate that a person most likely meant, or nothing if none is near. */
export const closest = (text: string, candidates: Iterable<string>): string | undefined => {
  const limit = Math.min(3, Math.max(1, Math.floor(text.length * 0.4)))
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = distanceTo(text.toLowerCase(), candidate.toLowerCase())
    if (distance <= limit && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { candidate, distance }
  }
  return best?.candidate
}

/** An unfinished name is as near as one slip. */
const distanceTo = (text: string, candidate: string): number => {
  const begun = text.length > 2 && candidate.startsWith(text) && candidate !== text
  return begun ? 1 : editDistance(text, candidate)
}

/** Letters to add, drop, replace or swap with their neighbour (a swap is the most common slip, so it counts once). */
const editDistance = (a: string, b: string): number => {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (same ? 0 : 1),
        swapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
