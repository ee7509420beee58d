import type { Sql } from './connect.ts'

/** How many jobs of each queue wait to be taken: dispatch adds no more than workers can take up. */
export const queueDepth = async (sql: Sql, names: string[]): Promise<Map<string, number>> => {
  const rows = await sql<{ name: string; jobs: number }[]>`
    select name, count(*)::int as jobs
      from pgboss.job
     where name = any(${names}::text[]) and state < 'active'
     group by name`
  return new Map(rows.map(({ name, jobs }) => [name, jobs]))
}

/** Whether the job of a batch waits to be taken or is at work; one that failed and will be tried again is neither. */
export const isUnderWay = async (sql: Sql, queue: string, batchId: bigint): Promise<boolean> => {
  const jobs = await sql`
    select from pgboss.job
     where name = ${queue} and data ->> 'batchId' = ${String(batchId)} and state in ('created', 'active')
     limit 1`
  return jobs.length > 0
}
