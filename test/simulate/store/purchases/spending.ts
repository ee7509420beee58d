import type { Sql } from '../../../../src/store/connect.ts'
import { DatabaseError, type ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'

/** Reserves up to a number of units under the limit of a batch; a batch without a limit takes all of them. */
export const reserveBatch = (database: ModelDatabase, batchId: bigint, wanted: number): number => {
  const batch = database.tables.batches.get(batchId)
  if (!batch) return 0
  const left = batch.maxSpend === null ? wanted : Math.min(wanted, batch.maxSpend - batch.spent)
  const granted = Math.max(left, 0)
  if (granted > 0) database.set(batch, { spent: batch.spent + granted })
  return granted
}

export const reserveDay = (database: ModelDatabase, day: string, wanted: number, perDay: number | null): number => {
  const { days } = database.tables
  const spent = days.get(day) ?? 0
  const granted = perDay === null ? wanted : Math.max(0, Math.min(wanted, perDay - spent))
  database.put(days, day, spent + granted)
  return granted
}

export const reserveForBatch = (sql: Sql, batchId: bigint, wanted: number): Promise<number> =>
  on(sql, (database) => reserveBatch(database, batchId, wanted))

export const reserveForDay = (sql: Sql, day: string, wanted: number, perDay: number | null): Promise<number> =>
  on(sql, (database) => reserveDay(database, day, wanted, perDay))

export const isBeyondMeans = (error: unknown): boolean => (error as { code?: string }).code === 'VG001'

export const returnToBatch = (sql: Sql, batchId: bigint, units: number) =>
  on(sql, (database) => {
    const batch = database.tables.batches.get(batchId)
    if (!batch) return []
    if (batch.spent < units) throw new DatabaseError('23514', 'batch_spends_no_less_than_nothing')
    database.set(batch, { spent: batch.spent - units })
    return []
  })

export const returnToDay = (sql: Sql, day: string, units: number) =>
  on(sql, (database) => {
    const { days } = database.tables
    const spent = days.get(day)
    if (spent === undefined) return []
    if (spent < units) throw new DatabaseError('23514', 'spending_is_never_negative')
    database.put(days, day, spent - units)
    return []
  })

export const spentOn = (sql: Sql, day: string): Promise<number> => on(sql, ({ tables }) => tables.days.get(day) ?? 0)
