import type { Sql } from './connect.ts'

/** What each of these sweeps has spent so far, by what the batches that ask for it have; none where they are gone. */
export const spentBySweeps = async (sql: Sql, sweepIds: bigint[]): Promise<Map<bigint, number>> => {
  const rows = await sql<{ id: bigint; units: number }[]>`
    select o.sweep_id as id, sum(b.spent)::int as units
      from sweep_organization o
      join batch b on b.id = o.analysis_batch_id
     where o.sweep_id = any(${sweepIds}::bigint[])
     group by o.sweep_id`
  return new Map(rows.map(({ id, units }) => [id, units]))
}
