import { connect, type Database } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'

/** A database of its own, and as many pools on it as there are workers. */
export const openPools = async (count: number): Promise<AsyncDisposable & { pools: Database[] }> => {
  const database = await createDatabase()
  const pools = Array.from({ length: count }, () => connect(database.url, { max: 2 }))
  return {
    pools,
    async [Symbol.asyncDispose]() {
      await Promise.all(pools.map((pool) => pool.end()))
      await database.drop()
    },
  }
}
