import pLimit, { type LimitFunction } from 'p-limit'
import type { Database } from './connect.ts'

/**
 * Does what holds one connection of the pool and needs a second beside it, for no more at once than the pool can serve:
 * were all connections held so, each holder would wait for one more, for ever.
 *
 * Two are left to the readers of the registry's lists, who count themselves, so that no list waits for an export.
 */
export const besideAnother = <T>(sql: Database, work: () => Promise<T>): Promise<T> => {
  const turns = places.get(sql.options) ?? pLimit(Math.max(1, Math.floor((sql.options.max - 2) / 2)))
  places.set(sql.options, turns)
  return turns(work)
}

const places = new WeakMap<Database['options'], LimitFunction>()
