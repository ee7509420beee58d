import type { Database } from '../store/connect.ts'
import { cancelUnasked, finishSweepBatches } from '../store/sweep-organizations.ts'

/**
 * Closes the batches of sweeps that are over: what nobody waits for is not asked any more. What was paid for is still
 * fetched, and its batch closed by a later call.
 */
export const closeSweepBatches = (sql: Database, now: Date): Promise<number> =>
  sql.begin(async (tx) => {
    await cancelUnasked(tx, now)
    return finishSweepBatches(tx, now)
  })
