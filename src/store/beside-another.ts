import pLimit, { type LimitFunction } from 'p-limit'
import type { Database } from './connect.ts'

/**
 * Runs work that holds one connection of the pool and needs a second one. No more runs at once than the pool can serve:
 * otherwise all connections could be held, and each holder would wait for one more for ever.
 *
 * Two connections are left to the readers of the registry's lists, which limit themselves, so that no list waits for an
 * export.
 */
export const besideAnother = <T>(sql: Database, work: () => Promise<T>): Promise<T> => {
  const turns = places.get(sql.options) ?? pLimit(Math.max(1, Math.floor((sql.options.max - 2) / 2)))
  places.set(sql.options, turns)
  return turns(work)
}

const places = new WeakMap<Database['options'], LimitFunction>()
