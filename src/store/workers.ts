import type { Sql } from './connect.ts'

export type Worker = {
  id: string
  host: string
  pid: number
  startedAt: Date
  beatAt: Date
  share: number
  open: number
}

export const joinWorkers = (sql: Sql, worker: { id: string; host: string; pid: number }) => sql`
  insert into worker (id, host, pid) values (${worker.id}, ${worker.host}, ${worker.pid}) on conflict (id) do nothing`

export const beat = (sql: Sql, id: string, share: number, open: number) => sql`
  update worker set beat_at = clock_timestamp(), share = ${share}, open = ${open} where id = ${id} returning id`

/**
 * Forgets workers that are gone: known to have died, or silent for longer than any request can last. The last requests
 * of one that died may still be on their way, so its share is not free before a second has passed since its last beat.
 */
export const forgetWorkers = (sql: Sql, ids: string[], silentForMs: number) => sql`
  delete from worker
   where (id = any(${ids}::uuid[]) and beat_at < clock_timestamp() - interval '1 second')
      or beat_at < clock_timestamp() - make_interval(secs => ${silentForMs / 1000})`

export const leaveWorkers = (sql: Sql, id: string) => sql`delete from worker where id = ${id}`

export const listWorkers = (sql: Sql) => sql<Worker[]>`
  select id, host, pid, started_at as "startedAt", beat_at as "beatAt", share, open
    from worker
   order by started_at, id`

export const databaseTime = async (sql: Sql): Promise<Date> => {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`
  return row!.now
}
