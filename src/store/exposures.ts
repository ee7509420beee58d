import type { Database } from './connect.ts'

export type Exposure = { line: number; question: string; count: number | null; cents: bigint | null }

/** The documents with the largest amount under a classification, one line each. */
export const readExposures = (sql: Database, batchId: bigint, position: number, limit: number) =>
  sql.begin(async (tx): Promise<Exposure[]> => {
    // The rows of a million fit into memory with this; with the usual 4 MB they are written to disk, and read again.
    await tx`set local work_mem = '64MB'`
    return tx<Exposure[]>`
      select (select min(r.line) from batch_row r where r.batch_id = ${batchId} and r.lookup_id = a.lookup_id) as line,
             (select l.question from lookup l where l.id = a.lookup_id) as question,
             a.counts[${position}::int] as count, a.cents[${position}::int] as cents
        from answer a
       where exists (select from batch_row r where r.batch_id = ${batchId} and r.lookup_id = a.lookup_id)
         and a.counts is not null
       order by a.cents[${position}::int] desc nulls last, a.counts[${position}::int] desc nulls last
       limit ${limit}`
  })
