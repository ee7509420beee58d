import type { Token, TokenVault } from '../../src/registry/token-keeper.ts'

/** A vault for one process, with the locking of the real one: exchanges run one after the other. */
export const createMemoryVault = (token: string): TokenVault & { put(token: string): void; stored(): Token } => {
  let stored: Token = { token, generation: 1 }
  let last: Promise<unknown> = Promise.resolve()
  return {
    read: async () => stored,
    exchange(seen, fn) {
      const next = last.then(async () => {
        if (stored.generation > seen) return stored
        stored = { token: await fn(stored), generation: stored.generation + 1 }
        return stored
      })
      last = next.catch(() => {})
      return next
    },
    put: (renewed) => {
      stored = { token: renewed, generation: stored.generation + 1 }
    },
    stored: () => stored,
  }
}
