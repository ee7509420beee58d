import type { Sql } from '../store/connect.ts'
import { databaseTime } from '../store/workers.ts'

export type FleetClock = { read(): Date; stop(): void }

const syncEveryMs = 30_000

/**
 * The time by the database's clock, so that all workers agree on when a call in doubt may be judged.
 *
 * A machine whose clock runs ahead would otherwise judge the calls of one that lags while they are still under way.
 */
export const startFleetClock = async (sql: Sql, onTrouble: (error: unknown) => void): Promise<FleetClock> => {
  let ahead = 0
  const sync = async (): Promise<void> => {
    const asked = Date.now()
    const told = await databaseTime(sql)
    const answered = Date.now()
    ahead = told.getTime() - (asked + answered) / 2
  }
  await sync()
  const timer = setInterval(() => void sync().catch(onTrouble), syncEveryMs)
  return { read: () => new Date(Date.now() + ahead), stop: () => clearInterval(timer) }
}
