import type { Sql } from '../connect.ts'

/**
 * Reserves up to `wanted` units of a batch before they are sent, and says how many fit under its limit.
 *
 * The row's lock makes it hold over all workers; a unit that was not spent after all is given back. It is locked in a
 * statement of its own: one that locks a row and changes it meets the version that it saw at its start, and deadlocks with
 * whoever waits for that one.
 */
export const reserveForBatch = async (sql: Sql, batchId: bigint, wanted: number): Promise<number> => {
  const [batch] = await sql<{ left: number | null }[]>`
    select max_spend - spent as left from vigia.batch where id = ${batchId} for no key update`
  if (!batch) return 0
  const granted = fitting(wanted, batch.left)
  if (granted > 0) await sql`update vigia.batch set spent = spent + ${granted} where id = ${batchId}`
  return granted
}

/** Reserves up to `wanted` units of the day's budget, over all batches and workers. */
export const reserveForDay = async (sql: Sql, day: string, wanted: number, perDay: number | null): Promise<number> => {
  const [spent] = await sql<{ units: number }[]>`
    insert into vigia.spending_day (day, units) values (${day}, ${perDay === null ? wanted : 0})
        on conflict (day) do update set units = spending_day.units + excluded.units
    returning units`
  if (perDay === null) return wanted
  const granted = fitting(wanted, perDay - spent!.units)
  if (granted > 0) await sql`update vigia.spending_day set units = units + ${granted} where day = ${day}`
  return granted
}

const fitting = (wanted: number, left: number | null): number =>
  left === null ? wanted : Math.min(wanted, Math.max(left, 0))

/** Gives back units that turned out not to be spent: refused, not sent, or proven absent. */
export const returnToBatch = (sql: Sql, batchId: bigint, units: number) => sql`
  update vigia.batch set spent = spent - ${units} where id = ${batchId}`

export const returnToDay = (sql: Sql, day: string, units: number) => sql`
  update vigia.spending_day set units = units - ${units} where day = ${day}`

export const spentOn = async (sql: Sql, day: string): Promise<number> => {
  const [row] = await sql<{ units: number }[]>`select units from vigia.spending_day where day = ${day}`
  return row?.units ?? 0
}

/** What each of these sweeps has spent so far, by what the batches that ask for it have; none where they are gone. */
export const spentBySweeps = async (sql: Sql, sweepIds: bigint[]): Promise<Map<bigint, number>> => {
  const rows = await sql<{ id: bigint; units: number }[]>`
    select asked.id, sum(b.spent)::int as units
      from (select sweep_id as id, analysis_batch_id as batch_id from vigia.sweep_organization
             where sweep_id = any(${sweepIds}::bigint[])
             union all
            select id, batch_id from vigia.sweep where id = any(${sweepIds}::bigint[]) and batch_id is not null) as asked
      join vigia.batch b on b.id = asked.batch_id and b.kind = 'analysis'
     group by asked.id`
  return new Map(rows.map(({ id, units }) => [id, units]))
}
