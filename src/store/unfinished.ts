import type { Sql } from './connect.ts'

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
