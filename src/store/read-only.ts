import { setTimeout as pause } from 'node:timers/promises'
import { isReadOnly } from '../domain/read-only.ts'
import type { Sql } from './connect.ts'
import { firstValue } from './rows.ts'

/** Whether the server takes writes. A standby does once it is promoted, on the connections that are open. */
export const isWritable = async (sql: Sql): Promise<boolean> => {
  try {
    return await firstValue(sql`
      select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'`)
  } catch (error) {
    if (isReadOnly(error)) return false
    throw error
  }
}

const againAfterMs = 1_000

/** Waits for a server that takes writes, and calls `say` first if it has to wait. */
export const awaitWritable = async (sql: Sql, say: () => void): Promise<boolean> => {
  if (await isWritable(sql)) return false
  say()
  do await pause(againAfterMs)
  while (!(await isWritable(sql)))
  return true
}
