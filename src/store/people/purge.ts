import { dropUnneeded } from '../batches/files.ts'
import { lockRetries } from '../batches/retry.ts'
import type { Sql, Transaction } from '../connect.ts'
import { keepOwned } from '../lookups/lookups.ts'
import { allValues, countRows, isAny, onlyRow } from '../rows.ts'

type ExpiredBatch = { id: bigint; name: string; fileId: bigint | null; workbookId: bigint | null }

/** Finished batches older than the retention, oldest first. */
export const findExpiredBatches = (sql: Sql, before: Date, limit: number) => sql<ExpiredBatch[]>`
  ${selectExpired(sql)} where ${isExpiredBatch(sql, before)} order by id limit ${limit}`

const selectExpired = (sql: Sql) => sql`
  select id, name, file_id, workbook_id from vigia.batch`

/** A batch whose look-ups are still under way stays, because their results are counted in it. */
const isExpiredBatch = (sql: Sql, before: Date) => sql`
  (finished_at < ${before}
   and not exists (select from vigia.lookup l where l.batch_id = batch.id and l.kind = batch.kind and l.finished_at is null))`

/** Batches that were not approved since they were read. One that ran before, and needs approval to spend more, stays. */
export const findUnconfirmed = (sql: Sql, before: Date) => sql<ExpiredBatch[]>`
  ${selectExpired(sql)} where ${isNeverConfirmed(sql, before)} order by id`

const isNeverConfirmed = (sql: Sql, before: Date) => sql`
  (state = 'unconfirmed' and started_at is null and spent = 0 and finished_at is null and imported_at < ${before})`

/** Cancels such a batch if it still needs approval; from then on it cannot be approved. */
export const cancelUnconfirmed = async (sql: Transaction, id: bigint, before: Date): Promise<boolean> => {
  await lockRetries(sql, id)
  return isAny(sql`update vigia.batch set state = 'cancelled' where id = ${id} and ${isNeverConfirmed(sql, before)}`)
}

/** Deletes such a batch with its rows, its files, and the look-ups that only it wanted, which were never asked. */
export const deleteUnasked = async (sql: Transaction, batch: ExpiredBatch): Promise<void> => {
  await deleteWithRows(sql, batch)
  await sql`
    delete from vigia.lookup l
     where l.batch_id = ${batch.id} and l.state = 'cancelled' and l.sending_at is null and l.remote_id is null
       and ${isShownNowhere(sql)}`
}

/**
 * Deletes a batch with its rows, and its stored files if no other batch needs them. A batch that was reopened since it was
 * found stays: a retry that is under way is waited for.
 */
export const deleteBatch = async (sql: Transaction, batch: ExpiredBatch, before: Date): Promise<void> => {
  await lockRetries(sql, batch.id)
  const expired = sql`select from vigia.batch where id = ${batch.id} and ${isExpiredBatch(sql, before)} for update`
  if (await isAny(expired)) await deleteWithRows(sql, batch)
}

const deleteWithRows = async (sql: Transaction, { id, fileId, workbookId }: ExpiredBatch): Promise<void> => {
  await sql`delete from vigia.batch_row where batch_id = ${id}`
  await sql`delete from vigia.batch_count where batch_id = ${id}`
  await sql`delete from vigia.batch where id = ${id}`
  for (const file of [fileId, workbookId]) if (file !== null) await dropUnneeded(sql, file)
}

/**
 * Deletes answers and look-ups that ended before then and that no row shows any more, up to a limit. What they cost stays
 * in the spending of the days, and what they bought in the purchase ledger.
 */
export const deleteLookups = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const ids = await allValues<bigint>(sql`
    select id from vigia.lookup l
     where l.finished_at < ${before} and ${isShownNowhere(sql)}
     limit ${limit}`)
  await keepOwned(sql, ids)
  return countRows(sql`
    with answers as (delete from vigia.answer where lookup_id = any(${ids}::bigint[]))
    delete from vigia.lookup l
     where id = any(${ids}::bigint[]) and ${isShownNowhere(sql)}`)
}

const isShownNowhere = (sql: Sql) => sql`not exists (select from vigia.batch_row r where r.lookup_id = l.id)`

/** Deletes old sweeps with their snapshots and changes; housekeeping sweeps are deleted sooner. */
export const deleteSweeps = (sql: Sql, before: { radars: Date; others: Date }): Promise<number> =>
  countRows(sql`
    delete from vigia.sweep
     where state <> 'running'
       and finished_at < case when name in ('radars', 'portfolio') then ${before.radars}::timestamptz else ${before.others}::timestamptz end`)

/** Deletes radars that left the list long ago, old alerts, and the documents in old purchases and usage differences. */
export const deleteTraces = async (sql: Sql, before: Date): Promise<void> => {
  await sql`delete from vigia.radar where removed_at < ${before}`
  await sql`delete from vigia.alert where made_at < ${before}`
  await sql`update vigia.purchase set document = '', remote_key = null where seen_at < ${before} and document <> ''`
  await sql`update vigia.usage_day set differing = '[]' where day < ${before}::date and differing <> '[]'`
}

/** Deletes purchases of erased people that are no longer fresh: no new look-up may adopt them. */
export const forgetErased = (sql: Sql, kind: 'analysis' | 'cnh', before: Date) => sql`
  update vigia.purchase set person_key = null, remote_key = null
   where kind = ${kind} and person_key is not null and coalesce(bought_at, seen_at) < ${before}`

/** How much a purge would delete now. */
export const countExpired = (
  sql: Sql,
  before: { batches: Date; lookups: Date; unconfirmed: Date },
): Promise<{ batches: number; lookups: number }> =>
  onlyRow(sql`
    select (select count(*)::int from vigia.batch where ${isExpiredBatch(sql, before.batches)} or ${isNeverConfirmed(sql, before.unconfirmed)}) as batches,
           (select count(*)::int from vigia.lookup l
             where l.finished_at < ${before.lookups} and ${isShownNowhere(sql)}) as lookups`)
