import type { JSONValue } from 'postgres'
import { type Kind, spendingKinds } from '../../domain/kind.ts'
import type { RecordedPurchase, UsageDay } from '../../domain/usage-difference.ts'
import type { Sql } from '../connect.ts'
import { firstValue } from '../rows.ts'

/** Reserves up to `wanted` units of a batch before they are sent, and returns how many fit under its limit. */
export const reserveForBatch = (sql: Sql, batchId: bigint, wanted: number): Promise<number> =>
  firstValue(sql`select vigia.reserve_for_batch(${batchId}, ${wanted}) as granted`)

/** Reserves up to `wanted` units of the day's budget, over all batches and workers. */
export const reserveForDay = (sql: Sql, day: string, wanted: number, perDay: number | null): Promise<number> =>
  firstValue(sql`select vigia.reserve_for_day(${day}, ${wanted}, ${perDay}) as granted`)

/** Whether a statement failed because not all units that it would have reserved fit. */
export const isBeyondMeans = (error: unknown): boolean => (error as { code?: string }).code === 'VG001'

/** Gives back units that were not spent: refused, not sent, or proven absent. */
export const returnToBatch = (sql: Sql, batchId: bigint, units: number) => sql`
  update vigia.batch set spent = spent - ${units} where id = ${batchId}`

export const returnToDay = (sql: Sql, day: string, units: number) => sql`
  update vigia.spending_day set units = units - ${units} where day = ${day}`

export const spentOn = async (sql: Sql, day: string): Promise<number> =>
  (await firstValue<number | null>(sql`select units from vigia.spending_day where day = ${day}`)) ?? 0

/** What a sweep bought: all of it is of one kind. */
type SweepSpending = { kind: Kind; units: number }

/** What the batches of each sweep have spent so far; a sweep is left out if they are gone or buy nothing. */
export const spentBySweeps = async (sql: Sql, sweepIds: bigint[]): Promise<Map<bigint, SweepSpending>> => {
  const rows = await sql<(SweepSpending & { id: bigint })[]>`
    select asked.id, b.kind, sum(b.spent)::int as units
      from vigia.sweep asked
      join vigia.batch b on asked.id = b.sweep_id or b.id = asked.batch_id
     where asked.id = any(${sweepIds}::bigint[]) and b.kind = any(${[...spendingKinds]}::text[])
     group by asked.id, b.kind`
  return new Map(rows.map(({ id, ...spent }) => [id, spent]))
}

/** The analyses that our records have as bought, or may have bought, since a moment. */
export const recordedPurchases = (sql: Sql, organizationId: number, since: Date) => sql<RecordedPurchase[]>`
  select remote_id as id, question as document, sending_at as at, charged
    from vigia.lookup
   where organization_id = ${organizationId} and kind = 'analysis' and charged <> 'no' and sending_at >= ${since}
     and not (state = 'sending' and charged = 'unknown')`

/** Replaces the usage of these days. */
export const writeUsage = (sql: Sql, organizationId: number, days: UsageDay[], now: Date) => sql`
  insert into vigia.usage_day (organization_id, day, reported, recorded, differing, read_at)
  select ${organizationId}, day, reported, recorded, differing, ${now}
    from json_to_recordset(${sql.json(days as unknown as JSONValue)}::json) as read (
      day date, reported int, recorded int, differing jsonb)
      on conflict (organization_id, day) do update
     set reported = excluded.reported, recorded = excluded.recorded, differing = excluded.differing, read_at = excluded.read_at`
