import type { Sql } from '../connect.ts'

/**
 * Reserves up to `wanted` units of a batch before they are sent, and says how many fit under its limit.
 * The row lock makes it hold over all workers; a unit that was not spent after all is given back.
 */
export const reserveForBatch = async (sql: Sql, batchId: bigint, wanted: number): Promise<number> => {
  const [row] = await sql<{ granted: number }[]>`
    with before as (select spent from vigia.batch where id = ${batchId} for no key update)
    update vigia.batch
       set spent = batch.spent + least(${wanted}::int, greatest(coalesce(max_spend, 2147483647) - before.spent, 0))
      from before
     where id = ${batchId}
    returning batch.spent - before.spent as granted`
  return row?.granted ?? 0
}

/** Reserves up to `wanted` units of the day's budget, over all batches and workers. */
export const reserveForDay = async (sql: Sql, day: string, wanted: number, perDay: number | null): Promise<number> => {
  if (perDay === null) {
    await sql`
      insert into vigia.spending_day (day, units) values (${day}, ${wanted})
          on conflict (day) do update set units = spending_day.units + excluded.units`
    return wanted
  }
  await sql`insert into vigia.spending_day (day, units) values (${day}, 0) on conflict (day) do nothing`
  const [row] = await sql<{ granted: number }[]>`
    with before as (select units from vigia.spending_day where day = ${day} for no key update)
    update vigia.spending_day
       set units = spending_day.units
                   + least(${wanted}::int, greatest(${perDay}::int - before.units, 0))
      from before
     where day = ${day}
    returning spending_day.units - before.units as granted`
  return row?.granted ?? 0
}

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
