import type { Sql } from './connect.ts'

/**
 * Takes back look-ups from jobs that no longer exist: lost with a restored queue, or given up by it.
 * A look-up in doubt needs no help, it stays due while a job judges it.
 */
export const releaseOrphans = async (sql: Sql, now: Date): Promise<number> => {
  const released = await sql`
    update lookup l
       set job_id = null, due_at = ${now},
           trace = trace || (${now.toISOString()} || ' its job was gone: put back')
     where l.job_id is not null and l.finished_at is null and (l.state <> 'sending' or l.due_at is null)
       and not exists (select from pgboss.job j where j.id = l.job_id and j.state < 'completed')
    returning l.id`
  return released.length
}

/** Jobs whose look-ups all went on without them; they end by themselves as soon as a worker takes them. */
export const countIdleJobs = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ jobs: number }[]>`
    select count(*)::int as jobs
      from pgboss.job j
     where j.data ? 'ids' and j.state < 'completed'
       and not exists (select from lookup l where l.job_id = j.id)`
  return row?.jobs ?? 0
}

/** Batches without an open row that nobody has called finished. */
export const findUncountedBatches = (sql: Sql) => sql<{ id: bigint }[]>`
  select b.id
    from batch b
   where b.finished_at is null and b.state in ('running', 'cancelled') and b.counted and b.file_id is not null
     and not exists (select from batch_row r join lookup l on l.id = r.lookup_id
                      where r.batch_id = b.id and not r.cancelled and l.finished_at is null)
   order by b.id`

/** Batches whose import or report is owed, however its job was lost. */
export const findOwedBatches = (sql: Sql, before: Date) => sql<{ id: bigint; owed: 'import' | 'export' }[]>`
  select id, case when finished_at is null then 'import' else 'export' end as owed
    from batch
   where file_id is not null
     and (state in ('importing', 'cancelled') and imported_at is null and created_at < ${before}
          or state in ('done', 'cancelled') and finished_at < ${before} and exported_at is null)
   order by id`
