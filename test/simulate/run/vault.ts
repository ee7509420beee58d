import type { Token, TokenVault } from '../../../src/registry/token-keeper.ts'
import type { Database } from '../../../src/store/connect.ts'
import { handleOf, on } from '../store/handle.ts'

const stored = new WeakMap<object, { token: Token }>()

/** Where the token of the fleet is kept. */
export const vault = (sql: Database): TokenVault => {
  const { model } = handleOf(sql)
  const kept = stored.get(model) ?? { token: { token: 'token-1', generation: 1 } }
  stored.set(model, kept)
  return {
    read: () => on(sql, () => kept.token),
    async exchange(seen, fn) {
      const current = await on(sql, () => kept.token)
      if (current.generation > seen) return current
      const token = await fn(current)
      return on(sql, () => {
        if (kept.token.generation <= seen) kept.token = { token, generation: current.generation + 1 }
        return kept.token
      })
    },
  }
}
