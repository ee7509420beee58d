/**
 * Whether the next step of a look-up is worth taking in the same turn: while the registry answers it at once. While it does
 * not, that is tried ever more rarely.
 *
 * An answer that took long does not count: until it came, a crash would have left the outcome of the call before it unknown.
 */
export const createAtOnce = () => {
  let gap = 0
  let passed = 0
  return {
    isWorthTrying(): boolean {
      if (passed++ < gap) return false
      passed = 0
      return true
    },
    record(isAnswered: boolean, ms: number): void {
      gap = isAnswered && ms <= longestMs ? 0 : Math.min(gap * 2 + 1, rarest)
    },
  }
}

const longestMs = 1_000
const rarest = 255
