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
