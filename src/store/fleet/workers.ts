import type { Sql } from '../connect.ts'
import { firstValue, onlyRow } from '../rows.ts'

export type Worker = {
  id: string
  host: string
  pid: number
  startedAt: Date
  heartbeatAt: Date
  share: number
  open: number
}

export const joinWorkers = (sql: Sql, worker: { id: string; host: string; pid: number }) => sql`
  insert into vigia.worker (id, host, pid) values (${worker.id}, ${worker.host}, ${worker.pid}) on conflict (id) do nothing`

export const recordHeartbeat = (sql: Sql, id: string, share: number, open: number) => sql`
  update vigia.worker set heartbeat_at = clock_timestamp(), share = ${share}, open = ${open} where id = ${id} returning id`

/** The next number of the fleet's sequence, the server that gave it and its time, and whether this worker supervises. */
type FleetTurn = { sequence: bigint; start: string; at: Date; supervises: boolean }

/** A heartbeat, with every worker as it was just before. */
export type Heartbeat = FleetTurn & { workers: Worker[] }

/** Who takes a turn; some may not supervise. */
export type Taker = { id: string; maySupervise: boolean }

/**
 * Takes a turn, and takes or renews the lease of the worker that supervises for all. The lease of a worker that died is
 * over after five seconds; so is one from the future, where the database's clock has stepped.
 */
const turnOf = (sql: Sql, { id, maySupervise }: Taker) => {
  const supervises = sql`${maySupervise}::boolean
    and (supervisor is null or supervisor = ${id} or abs(extract(epoch from clock_timestamp() - supervised_at)) > 5)`
  return sql`
    update vigia.fleet
       set sequence = sequence + 1, supervisor = case when ${supervises} then ${id} else supervisor end,
           supervised_at = case when ${supervises} then clock_timestamp() else supervised_at end
    returning sequence, ${serverStart(sql)} as start, clock_timestamp() as at, supervisor is not distinct from ${id} as supervises`
}

/** A heartbeat that leaves this worker's share as it is, so that nobody waits; null if the worker is not recorded. */
export const heartbeatOn = async (sql: Sql, taker: Taker, open: number): Promise<Heartbeat | null> => {
  const rows = await sql<(Worker & Omit<Heartbeat, 'workers'>)[]>`
    with turn as (${turnOf(sql, taker)}),
    beating as (
      update vigia.worker w set heartbeat_at = clock_timestamp(), open = ${open} from turn where w.id = ${taker.id} returning turn.*)
    select beating.*, ${workerColumns(sql)}
      from beating
     cross join vigia.worker
     order by started_at, id`
  const [first] = rows
  if (!first) return null
  const { sequence, start, at, supervises } = first
  return { sequence, start, at, supervises, workers: rows }
}

/** Forgets workers that are gone. */
export const forgetWorkers = (sql: Sql, ids: string[]) => sql`delete from vigia.worker where id = any(${ids}::uuid[])`

export const leaveWorkers = (sql: Sql, id: string) => sql`
  with released as (update vigia.fleet set supervisor = null where supervisor = ${id})
  delete from vigia.worker where id = ${id}`

export const listWorkers = (sql: Sql) => sql<Worker[]>`
  select ${workerColumns(sql)} from vigia.worker order by started_at, id`

/** Workers with a recent heartbeat. */
export const countLiveWorkers = (sql: Sql): Promise<number> =>
  firstValue(sql`
    select count(*)::int as workers from vigia.worker where heartbeat_at > clock_timestamp() - interval '15 seconds'`)

const workerColumns = (sql: Sql) => sql`id, host, pid, started_at, heartbeat_at, share, open`

export const databaseTime = (sql: Sql): Promise<Date> => firstValue(sql`select clock_timestamp() as now`)

/** The number of this database in its server. A copy that took its place and its name has another one. */
const databaseOid = (sql: Sql) => sql`(select oid from pg_database where datname = current_database())`

/** Identifies the running server and the database: no two servers have started in the same microsecond. */
export const serverStart = (sql: Sql) =>
  sql`extract(epoch from pg_postmaster_start_time()) || '/' || ${databaseOid(sql)}`

export type Server = {
  /** When it was started, and the database in it; another value is another run, another server or another database. */
  start: string
  /** The cluster, its timeline and the database: a standby that was promoted, a backup or a copy has another identity. */
  identity: string
  /** The identity that the fleet last worked with, as this database has it. */
  remembered: string | null
  /** The fleet's sequence in this database. */
  sequence: bigint
  /** Paid lanes spend only by a list that was read after this. */
  listReadAfter: Date
  /** The time of the server. */
  at: Date
}

export const readServer = (sql: Sql): Promise<Server> =>
  onlyRow(sql`
    select ${serverStart(sql)} as start,
           (select system_identifier from pg_control_system())::text
             || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' || ${databaseOid(sql)} as identity,
           server as remembered, sequence, greatest(list_read_after, to_timestamp(0)) as list_read_after, clock_timestamp() as at
      from vigia.fleet`)

/** Records which server the fleet works with, and since when its lists count. */
export const rememberServer = (sql: Sql, identity: string, listReadAfter: Date | null) => sql`
  update vigia.fleet set server = ${identity}, list_read_after = greatest(list_read_after, ${listReadAfter})`

/** Takes the turn to divide the bound; other workers wait until this transaction ends. */
export const takeTurn = (sql: Sql, taker: Taker): Promise<FleetTurn> => onlyRow(sql`${turnOf(sql, taker)}`)

/** What workers did: look-ups that ended, calls without a usable answer, and all calls by how long they took. */
export type Throughput = { lookups: number; failures: number; calls: number[] }

/** Adds to the minute of `now` what this worker did since it last added, and forgets minutes that are not shown any more. */
export const addThroughput = (sql: Sql, now: Date, { lookups, failures, calls }: Throughput) => sql`
  with expired as (delete from vigia.throughput where minute < ${now}::timestamptz - interval '2 hours')
  insert into vigia.throughput as known (minute, lookups, failures, calls)
  values (date_trunc('minute', ${now}::timestamptz), ${lookups}, ${failures}, ${calls})
      on conflict (minute) do update
     set lookups = known.lookups + excluded.lookups, failures = known.failures + excluded.failures,
         calls = array(select coalesce(mine, 0) + coalesce(added, 0)
                         from unnest(known.calls, excluded.calls) with ordinality as both_counts (mine, added, place)
                        order by place)`

export const listThroughput = (sql: Sql, since: Date) => sql<(Throughput & { minute: Date })[]>`
  select minute, lookups, failures, calls from vigia.throughput where minute >= ${since} order by minute`
