import type { Sql } from '../store/connect.ts'

// What is read from pg-boss's own tables, and from nowhere else in the house: they are not ours, and may change with it.

/** The schema that pg-boss keeps its tables in. */
export const bossSchema = 'pgboss'

/** How many jobs of a queue wait to be taken, those of small files apart, and how long the first of the others has waited. */
export type Depth = { large: number; small: number; waitedMs: number }

/** What waits in each queue: dispatch adds no more than workers can take up. */
export const queueDepths = async (sql: Sql, names: string[]): Promise<Map<string, Depth>> => {
  const rows = await sql<(Depth & { name: string })[]>`
    select name, count(*) filter (where priority = 0)::int as large, count(*) filter (where priority > 0)::int as small,
           coalesce(extract(epoch from now() - min(created_on) filter (where priority = 0)) * 1000, 0)::float8 as "waitedMs"
      from pgboss.job
     where name = any(${names}::text[]) and state < 'active'
     group by name`
  return new Map(rows.map(({ name, ...depth }) => [name, depth]))
}

/** Whether the job of a batch waits to be taken or is at work; one that failed and will be tried again is neither. */
export const isUnderWay = async (sql: Sql, queue: string, batchId: bigint): Promise<boolean> => {
  const jobs = await sql`
    select from pgboss.job
     where name = ${queue} and data ->> 'batchId' = ${String(batchId)} and state in ('created', 'active')
     limit 1`
  return jobs.length > 0
}

type QueueLine = { name: string; waiting: number; retrying: number; active: number }

/** What stands in each queue at this moment. */
export const listQueues = (sql: Sql) => sql<QueueLine[]>`
  select name, count(*) filter (where state = 'created')::int as waiting,
         count(*) filter (where state = 'retry')::int as retrying,
         count(*) filter (where state = 'active')::int as active
    from pgboss.job
   where state in ('created', 'retry', 'active') and name not like '\\_\\_%'
   group by name
   order by name`

/** Takes look-ups out of the hands of jobs that no longer exist: lost with a restored queue, or given up by it. */
export const releaseOrphans = async (sql: Sql): Promise<number> => {
  const [released] = await sql<{ lookups: number }[]>`
    with gone as (
      delete from vigia.claim c
       where not exists (select from pgboss.job j where j.id = c.job_id and j.state < 'completed')
      returning ids)
    select coalesce(sum(cardinality(ids)), 0)::int as lookups from gone`
  return released!.lookups
}

/** Jobs whose look-ups all went on without them; they end by themselves as soon as a worker takes them. */
export const countIdleJobs = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ jobs: number }[]>`
    select count(*)::int as jobs
      from pgboss.job j
     where j.data ? 'ids' and j.state < 'completed'
       and not exists (select from vigia.claim c where c.job_id = j.id)`
  return row?.jobs ?? 0
}
