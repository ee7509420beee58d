import { spendingKinds } from '../../domain/kind.ts'
import type { Sql } from '../connect.ts'
import { isSent } from '../lookups/intents.ts'
import { historyLine } from '../messages.ts'
import { needsApproval } from './consent.ts'

/**
 * Transfers look-ups that a batch cannot continue, but shares, to another batch that then pays for them: one that runs or
 * is being imported and may still spend, or, when the batch is cancelled, any that wants them. All queued look-ups of the
 * batch, or only the named ones.
 *
 * They are locked first: an import that is just taking one of them ends before, and is seen. If a batch would then spend
 * more than it may without approval, it needs approval, and transfers in its turn.
 */
export const transferLookups = async (
  sql: Sql,
  batchId: bigint,
  { to = 'active', only = null }: { to?: 'active' | 'any'; only?: bigint[] | null } = {},
): Promise<void> => {
  const queued = sql`l.batch_id = ${batchId} and l.state = 'queued' ${only ? sql`and l.id = any(${only}::bigint[])` : sql``}`
  // Counted in the database: a million ids must not be sent here.
  await sql`
    with locked as materialized (select from vigia.lookup l where ${queued} order by l.id for update)
    select count(*) from locked`
  const changed = await sql<{ id: bigint; state: string }[]>`
    with heir as (
      select distinct on (r.lookup_id) r.lookup_id, r.batch_id, r.line
        from vigia.lookup l
        join vigia.batch_row r on r.lookup_id = l.id and r.batch_id <> ${batchId} and not r.cancelled
        join vigia.batch b on b.id = r.batch_id and b.finished_at is null and b.state <> 'cancelled'
       where ${queued} and not ${isSent(sql)}
         and (${to} = 'any' or (vigia.goes_on(b) and ${maySpend(sql)}))
       order by r.lookup_id, not ${maySpend(sql)}, not vigia.goes_on(b), r.batch_id, r.line),
    moved as (
      update vigia.lookup l set batch_id = heir.batch_id
        from heir
       where l.id = heir.lookup_id and l.state = 'queued'
      returning l.batch_id),
    marked as (
      update vigia.batch_row r set pays = true
        from heir
       where r.batch_id = heir.batch_id and r.line = heir.line),
    owed as (
      select batch_id, count(*)::int as units from moved group by batch_id
       union all
      select ${batchId}, -count(*)::int from moved)
    update vigia.batch b
       set to_be_paid = greatest(b.to_be_paid + owed.units, 0),
           state = case when b.state = 'running' and owed.units > 0
                             and ${needsApproval(sql, sql`b.to_be_paid + owed.units`)}
                        then 'unconfirmed' else b.state end
      from owed
     where b.id = owed.batch_id and b.kind = any(${[...spendingKinds]}::text[])
    returning b.id, b.state`
  for (const { id, state } of changed) if (id !== batchId && state === 'unconfirmed') await transferLookups(sql, id)
}

const maySpend = (sql: Sql) => sql`(b.max_spend is null or b.spent < b.max_spend)`

/** A batch that runs takes over what it shares with others that do not. */
export const takeOver = async (sql: Sql, batchId: bigint): Promise<void> => {
  const still = await sql<{ id: bigint }[]>`
    select b.id
      from vigia.batch b
     where b.id <> ${batchId} and not vigia.goes_on(b)
       and b.id in (select l.batch_id
                      from vigia.batch_row r
                      join vigia.lookup l on l.id = r.lookup_id
                     where r.batch_id = ${batchId} and not r.cancelled and l.state = 'queued')
     order by b.id`
  for (const { id } of still) await transferLookups(sql, id)
}

/** Stopped batches with look-ups that a running batch wants; their transfer was interrupted. */
export const findUnshared = (sql: Sql) => sql<{ id: bigint }[]>`
  select s.id
    from vigia.batch s
   where s.finished_at is null and not vigia.goes_on(s)
     and exists (select from vigia.batch b
                   join vigia.batch_row r on r.batch_id = b.id and not r.cancelled
                   join vigia.lookup l on l.id = r.lookup_id
                  where b.finished_at is null and vigia.goes_on(b) and ${maySpend(sql)}
                    and l.batch_id = s.id and l.state = 'queued' and not ${isSent(sql)})
   order by s.id`

/** Cancelled batches whose rows have not all ended: the cancellation was interrupted. */
export const findHalfCancelled = (sql: Sql) => sql<{ id: bigint }[]>`
  select b.id
    from vigia.batch b
   where b.finished_at is null and b.state = 'cancelled' and b.imported_at is not null
     and exists (select from vigia.batch_row r
                   join vigia.lookup l on l.id = r.lookup_id
                  where r.batch_id = b.id and not r.cancelled
                    and l.finished_at is null and (l.state = 'queued' and not ${isSent(sql)} or l.batch_id <> b.id))
   order by b.id`

/** Cancels what a batch has not asked; the transfer has locked it. */
export const cancelQueued = (sql: Sql, batchId: bigint, now: Date) => sql`
  update vigia.lookup l
     set state = 'cancelled', finished_at = ${now}, due_at = null,
         trace = array_append(trace, ${historyLine(now, ['cancelled'])})
   where batch_id = ${batchId} and state = 'queued' and not ${isSent(sql)}`

/** Rows of a cancelled batch no longer wait for look-ups that others ask. */
export const leaveShared = (sql: Sql, batchId: bigint) => sql`
  update vigia.batch_row r set cancelled = true
    from vigia.lookup l
   where r.batch_id = ${batchId} and l.id = r.lookup_id and l.finished_at is null and l.batch_id <> ${batchId}`
