import type { Sql } from '../store/connect.ts'
import { allValues, firstValue, isAny } from '../store/rows.ts'

// Everything that reads pg-boss's own tables is here, because they are not ours and may change with its version.

/** The schema that pg-boss keeps its tables in. */
export const bossSchema = 'pgboss'

/** How many jobs of a queue wait: those of small files and the others, and how long the first of the others has waited. */
export type Depth = { large: number; small: number; waitedMs: number }

/** What waits in each queue. Dispatch adds no more than workers can take. */
export const queueDepths = async (sql: Sql, names: string[]): Promise<Map<string, Depth>> => {
  const rows = await sql<(Depth & { name: string })[]>`
    select name, count(*) filter (where priority = 0)::int as large, count(*) filter (where priority > 0)::int as small,
           coalesce(extract(epoch from now() - min(created_on) filter (where priority = 0)) * 1000, 0)::float8 as waited_ms
      from pgboss.job
     where name = any(${names}::text[]) and state < 'active'
     group by name`
  return new Map(rows.map(({ name, ...depth }) => [name, depth]))
}

/** The queues with a job that a worker can take now. */
export const queuesWithJobs = async (sql: Sql): Promise<Set<string>> =>
  new Set(
    await allValues<string>(sql`
      select distinct name from pgboss.job where state < 'active' and not blocked and start_after <= now()`),
  )

/** Whether the job of a batch is queued or active. A job that failed and will be tried again is neither. */
export const isUnderWay = (sql: Sql, queue: string, batchId: bigint): Promise<boolean> =>
  isAny(sql`
    select from pgboss.job
     where name = ${queue} and data ->> 'batchId' = ${String(batchId)} and state in ('created', 'active')
     limit 1`)

type QueueLine = { name: string; waiting: number; retrying: number; active: number }

/** How many jobs of each queue are in which state now. */
export const listQueues = (sql: Sql) => sql<QueueLine[]>`
  select name, count(*) filter (where state = 'created')::int as waiting,
         count(*) filter (where state = 'retry')::int as retrying,
         count(*) filter (where state = 'active')::int as active
    from pgboss.job
   where state in ('created', 'retry', 'active') and name not like '\\_\\_%'
   group by name
   order by name`

/** Releases look-ups claimed by jobs that no longer exist, because their queue was restored or pg-boss gave them up. */
export const releaseOrphans = (sql: Sql): Promise<number> =>
  firstValue(sql`
    with gone as (
      delete from vigia.claim c
       where not exists (select from pgboss.job j where j.id = c.job_id and j.state < 'completed')
      returning ids)
    select coalesce(sum(cardinality(ids)), 0)::int as lookups from gone`)

/** Jobs whose look-ups were all taken over by other jobs. They end as soon as a worker takes them. */
export const countIdleJobs = (sql: Sql): Promise<number> =>
  firstValue(sql`
    select count(*)::int as jobs
      from pgboss.job j
     where j.data ? 'ids' and j.state < 'completed'
       and not exists (select from vigia.claim c where c.job_id = j.id)`)
