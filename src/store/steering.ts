import type { Sql } from './connect.ts'

/** Look-ups that a batch which stands still shares with one that runs go on with, and are paid by, the latter. */
export const handOver = (sql: Sql, batchId: bigint) => sql`
  with heir as (
    select r.lookup_id, min(r.batch_id) as batch_id
      from lookup l
      join batch_row r on r.lookup_id = l.id and r.batch_id <> ${batchId} and not r.cancelled
      join batch b on b.id = r.batch_id and b.state = 'running' and b.paused_at is null and b.finished_at is null
     where l.batch_id = ${batchId} and l.state = 'queued'
     group by r.lookup_id),
  moved as (
    update lookup l set batch_id = heir.batch_id
      from heir
     where l.id = heir.lookup_id and l.state = 'queued'
    returning l.id, l.batch_id)
  update batch_row r set first = true
    from (select m.batch_id, m.id, min(other.line) as line
            from moved m
            join batch_row other on other.lookup_id = m.id and other.batch_id = m.batch_id
           group by m.batch_id, m.id) as payer
   where r.batch_id = payer.batch_id and r.line = payer.line`

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
