import type { Sql } from '../store/connect.ts'

/** Units reserved or charged per day. */
export const listSpending = (sql: Sql, sinceDay: string) => sql<{ day: string; units: number }[]>`
  select to_char(day, 'YYYY-MM-DD') as day, units from spending_day where day >= ${sinceDay}::date order by day`

export type UsageLine = { organizationId: bigint; day: string; told: number; recorded: number }

/** Consumption as the registry tells it, beside what we recorded, newest first. */
export const listUsage = (sql: Sql, limit: number) => sql<UsageLine[]>`
  select organization_id as "organizationId", to_char(day, 'YYYY-MM-DD') as day, told, recorded
    from usage_day
   order by day desc, organization_id
   limit ${limit}`

/** The figures of an on-call person; looked up at most every few seconds, so estimates and kept counts serve. */
type Figures = {
  due: { kind: string; state: string; lookups: number; oldest: Date | null }[]
  ended: { state: string; rows: number }[]
  charged: number
  batches: { state: string; batches: number }[]
}

export const readFigures = async (sql: Sql): Promise<Figures> => {
  const [due, ended, [charged], batches] = await Promise.all([
    sql<Figures['due']>`
      select kind, state, count(*)::int as lookups, min(due_at) as oldest
        from (select kind, state, due_at from lookup where due_at is not null limit 200000) as waiting
       group by kind, state`,
    sql<Figures['ended']>`select state, sum(rows)::float8 as rows from batch_count group by state`,
    sql<{ units: number }[]>`select coalesce(sum(units), 0)::float8 as units from spending_day`,
    sql<Figures['batches']>`
      select shown_state(batch) as state, count(*)::int as batches
        from batch where finished_at is null group by 1`,
  ])
  return { due, ended, charged: charged?.units ?? 0, batches }
}
