import type { Sql } from '../store/connect.ts'
import type { Sweep } from '../store/radars/sweeps.ts'

export type Night = Pick<Sweep, 'id' | 'slot' | 'state' | 'due' | 'verified' | 'changed' | 'startedAt' | 'finishedAt'>

/** The radar sweeps since a moment, newest first. */
export const listNights = (sql: Sql, since: Date) => sql<Night[]>`
  select id, slot, state, due, verified, changed, started_at as "startedAt", finished_at as "finishedAt"
    from sweep
   where name = 'radars' and started_at >= ${since}
   order by id desc
   limit 200`

/** The last run of each recurring task. */
export const lastSweeps = (sql: Sql) => sql<(Night & { name: string })[]>`
  select distinct on (name) name, id, slot, state, due, verified, changed, started_at as "startedAt",
         finished_at as "finishedAt"
    from sweep
   order by name, id desc`

/** Why documents of a sweep could not be verified. */
export const countUnverified = (sql: Sql, sweepId: bigint) => sql<{ reason: string; documents: number }[]>`
  select coalesce(unverified, '') as reason, count(*)::int as documents
    from snapshot
   where sweep_id = ${sweepId} and verified_at is null
   group by unverified
   order by documents desc
   limit 10`
