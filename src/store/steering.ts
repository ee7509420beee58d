import type { Sql } from './connect.ts'

/**
 * Look-ups that a batch which stands still shares with others go on with, and are paid by, one of those: one that runs
 * or is being imported, or, when the batch is cancelled, any that still wants them.
 *
 * They are locked first: an import that is just taking one of them ends before, and is seen.
 */
export const handOver = async (sql: Sql, batchId: bigint, to: 'active' | 'any' = 'active'): Promise<void> => {
  await sql`select id from lookup where batch_id = ${batchId} and state = 'queued' order by id for update`
  await sql`
    with heir as (
      select distinct on (r.lookup_id) r.lookup_id, r.batch_id, r.line
        from lookup l
        join batch_row r on r.lookup_id = l.id and r.batch_id <> ${batchId} and not r.cancelled
        join batch b on b.id = r.batch_id and b.finished_at is null and b.state <> 'cancelled'
       where l.batch_id = ${batchId} and l.state = 'queued'
         and (${to} = 'any' or (b.state in ('running', 'importing') and b.paused_at is null))
       order by r.lookup_id, b.paused_at is not null, b.state not in ('running', 'importing'), r.batch_id, r.line),
    moved as (
      update lookup l set batch_id = heir.batch_id
        from heir
       where l.id = heir.lookup_id and l.state = 'queued'
      returning l.id)
    update batch_row r set first = true
      from heir
     where r.batch_id = heir.batch_id and r.line = heir.line`
}

/** Ends what a cancelled batch never asked. */
export const cancelQueued = (sql: Sql, batchId: bigint, now: Date) => sql`
  update lookup
     set state = 'cancelled', finished_at = ${now}, due_at = null, job_id = null,
         trace = trace || (${now.toISOString()} || ' cancelled before it was asked')
   where batch_id = ${batchId} and state = 'queued'`

/** Rows of a cancelled batch no longer wait for look-ups that others ask. */
export const leaveShared = (sql: Sql, batchId: bigint) => sql`
  update batch_row r set cancelled = true
    from lookup l
   where r.batch_id = ${batchId} and l.id = r.lookup_id and l.finished_at is null and l.batch_id <> ${batchId}`
