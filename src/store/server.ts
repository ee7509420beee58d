import type { Sql } from './connect.ts'

/** Which running server this is: no two have begun in the same microsecond. */
export const serverStart = (sql: Sql) => sql`extract(epoch from pg_postmaster_start_time())::text`

export type Server = {
  /** When it was started; another value is another run, or another server. */
  start: string
  /** The cluster and its timeline: a standby that was promoted, or a backup that was restored, is on another one. */
  identity: string
  /** The identity that the fleet last worked with, as this database remembers it. */
  remembered: string | null
  /** How far the fleet had come, by this database. */
  mark: bigint
  /** Paid lanes spend only by a list that was read after this. */
  booksSince: Date
}

export const readServer = async (sql: Sql): Promise<Server> => {
  const [row] = await sql<Server[]>`
    select ${serverStart(sql)} as start,
           (select system_identifier from pg_control_system())::text
             || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as identity,
           server as remembered, mark, nullif(books_since, '-infinity') as "booksSince"
      from fleet`
  return { ...row!, booksSince: row!.booksSince ?? new Date(0) }
}

/** Writes down which server the fleet works with, and from when its books count. */
export const rememberServer = (sql: Sql, identity: string, booksSince: Date | null) => sql`
  update fleet set server = ${identity}, books_since = greatest(books_since, ${booksSince})`

/** Takes the turn to divide the bound: everyone else who does waits until this transaction ends. */
export const takeTurn = async (sql: Sql): Promise<{ mark: bigint; start: string }> => {
  const [row] = await sql<{ mark: bigint; start: string }[]>`
    update fleet set mark = mark + 1 returning mark, ${serverStart(sql)} as start`
  return row!
}
