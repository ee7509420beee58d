import { setTimeout as pause } from 'node:timers/promises'
import { isReadOnly } from '../domain/database-gone.ts'
import type { Sql } from './connect.ts'
import { firstRow, firstValue } from './rows.ts'

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

/** What keeps PostgreSQL from removing old row versions; it may belong to another program. `seconds` is unknown for a slot. */
type VacuumHolder = {
  what: 'session' | 'prepared' | 'slot'
  name: string
  transactions: number
  seconds: number | null
}

/**
 * The oldest transaction or unused replication slot, if it is old enough to matter: queues and look-ups then grow slower to
 * read with each row that is changed. Sessions of other users are seen only with the rights of pg_monitor.
 */
export const readVacuumHolder = (sql: Sql, least = oldEnough): Promise<VacuumHolder | null> =>
  firstRow(sql`
    select what, name, transactions, seconds::float8 as seconds
      from (
        select 'session' as what, concat_ws(' ', nullif(application_name, ''), '(' || usename || ', pid ' || pid || ')') as name,
               greatest(age(backend_xmin), age(backend_xid)) as transactions,
               extract(epoch from clock_timestamp() - xact_start) as seconds
          from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend'
        union all
        select 'prepared', gid, age(transaction), extract(epoch from clock_timestamp() - prepared)
          from pg_prepared_xacts
         where database = current_database()
        union all
        select 'slot', slot_name, greatest(age(xmin), age(catalog_xmin)), null
          from pg_replication_slots
         where not active) as holder
     where transactions > 0 and case when seconds is null then transactions > ${least.transactions} else seconds > ${least.seconds} end
     order by transactions desc, seconds desc
     limit 1`)

const oldEnough = { seconds: 300, transactions: 100_000 }
