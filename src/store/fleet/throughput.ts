import type { Sql } from '../connect.ts'

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
