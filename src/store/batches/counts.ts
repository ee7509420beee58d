import type { Sql } from '../connect.ts'
import { allValues, firstValue } from '../rows.ts'
import { isUnimported } from './batches.ts'

/**
 * Adds look-ups that just ended to the counts of every batch that has rows of them, and returns those batches. Whether a
 * batch is finished can be checked only after the commit, see `findComplete`.
 */
export const countEnded = async (sql: Sql, lookupIds: bigint[]): Promise<bigint[]> =>
  lookupIds.length === 0 ? [] : firstValue(sql`select vigia.count_ended(${lookupIds}::bigint[])`)

/** Open batches whose every document has ended, of these batches or of all. */
export const findComplete = (sql: Sql, ids: bigint[] | null): Promise<bigint[]> =>
  allValues(sql`
    select b.id
      from vigia.batch b
     where ${mayFinish(sql)} and ${isCounted(sql)} and (${ids}::bigint[] is null or b.id = any(${ids}::bigint[]))`)

/** Batch `b` of a file is under way, and its counts are current. */
const mayFinish = (sql: Sql) => sql`
  b.finished_at is null and b.counted and b.state in ('running', 'cancelled') and b.file_id is not null`

/** Every document of every row of batch `b` has ended. */
const isCounted = (sql: Sql) => sql`
  b.rows * b.documents_per_row = (select coalesce(sum(c.rows), 0) from vigia.batch_count c where c.batch_id = b.id)`

/**
 * Waits for transactions that are ending a look-up that this batch shares, and keeps others from it until this one ends.
 * Call it before the batch is locked, because look-ups are always locked first. Without it both could miss such an end: the
 * other's count cannot see our rows yet, and ours cannot see its end.
 */
export const lockShared = (sql: Sql, batchId: bigint) => sql`
  with locked as materialized (
    select
      from vigia.lookup l
     where l.id in (select lookup_id from vigia.batch_row where batch_id = ${batchId} and not pays)
       and l.finished_at is null
     order by l.id
       for share)
  select count(*) from locked`

/** Counts a batch again from its rows: after its import, and after rows were cancelled or asked again. */
export const recount = async (sql: Sql, batchId: bigint, now: Date): Promise<bigint[]> => {
  await sql`select id from vigia.batch where id = ${batchId} for update`
  await sql`delete from vigia.batch_count where batch_id = ${batchId}`
  await sql`
    insert into vigia.batch_count (batch_id, state, rows)
    select ${batchId}, ended.state, count(*)
      from (select vigia.row_outcome(r, l) as state
              from vigia.batch_row r
              left join vigia.lookup l on l.id = r.lookup_id
             where r.batch_id = ${batchId}) as ended
     where ended.state <> 'pending'
     group by ended.state`
  await sql`update vigia.batch set counted = true where id = ${batchId}`
  return finishBatches(sql, [batchId], now)
}

/**
 * Finishes the batches whose last row has ended; one with rejected rows only ends as rejected.
 *
 * They are locked by a statement of their own. A single statement that waits for a retry would see the batch as the retry
 * left it but the counts as they were before, and would finish a batch whose rows were just asked again.
 */
export const finishBatches = async (sql: Sql, ids: bigint[], now: Date): Promise<bigint[]> => {
  await sql`select from vigia.batch where id = any(${ids}::bigint[]) order by id for no key update`
  return allValues(sql`
    update vigia.batch b
       set finished_at = ${now},
           state = case when b.state <> 'running' then b.state
                        when b.rows > 0 and b.rejected = b.rows then 'rejected' else 'done' end
     where b.id = any(${ids}::bigint[]) and ${mayFinish(sql)} and ${isCounted(sql)}
    returning b.id`)
}

export const countsOf = async (sql: Sql, batchId: bigint): Promise<Record<string, number>> => {
  const rows = await sql<{ state: string; rows: number }[]>`
    select state, rows from vigia.batch_count where batch_id = ${batchId} order by state`
  return Object.fromEntries(rows.map(({ state, rows: count }) => [state, count]))
}

/** Batches without an open row that were not finished. */
export const findUncountedBatches = (sql: Sql) => sql<{ id: bigint }[]>`
  select b.id
    from vigia.batch b
   where ${mayFinish(sql)}
     and not exists (select from vigia.batch_row r join vigia.lookup l on l.id = r.lookup_id
                      where r.batch_id = b.id and not r.cancelled and l.finished_at is null)
   order by b.id`

/** Batches whose import or report is owed, however its job was lost. */
export const findOwedBatches = (sql: Sql, before: Date) => sql<{ id: bigint; owed: 'import' | 'export' }[]>`
  select id, case when finished_at is null then 'import' else 'export' end as owed
    from vigia.batch
   where file_id is not null
     and (${isUnimported(sql)} and created_at < ${before}
          or imported_at is not null and finished_at < ${before} and exported_at is null)
   order by id`
