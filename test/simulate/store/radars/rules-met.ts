import type { Sql } from '../../../../src/store/connect.ts'
import type { NewChange } from '../../../../src/store/radars/rules-met.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import type { ChangeRecord } from '../tables.ts'

/** Once for each figure of a document in a sweep: index `change_once`. */
export const insertChange = (database: ModelDatabase, change: ChangeRecord): void => {
  const { changes } = database.tables
  const key = `${change.sweepId}/${change.organizationId}/${change.document}/${change.field}`
  if (!changes.has(key)) database.put(changes, key, change)
}

export const insertChanges = async (sql: Sql, sweepId: bigint, changes: NewChange[], _now: Date): Promise<void> => {
  if (changes.length === 0) return
  await on(sql, (database) => {
    for (const { organizationId, ...change } of changes)
      insertChange(database, { ...change, sweepId, organizationId: Number(organizationId) })
  })
}

/** The settings of a history have no rules, and its page none either. */
export const listPageRules = async (): Promise<[]> => []
export const countNotified = async (): Promise<object> => ({})

const notModelled = async (): Promise<never> => {
  throw new Error('Rules are not part of a history')
}

export const [acknowledge, deletePageRule, insertMet, insertPageRule, lastNights] = Array(5).fill(notModelled)
export const [listSnoozed, readLastNotified, streamAllChanges, streamSweepChanges, switchPageRule] =
  Array(5).fill(notModelled)
