import type { Sql } from './connect.ts'

/** One row of a batch: what it asks, or why it was rejected. */
export type BatchRow = {
  line: number
  lookupId: bigint | null
  first: boolean
  cancelled: boolean
  repair: string | null
  rejectReason: string | null
  rejectDetail: string | null
  /** The batch that asked first; it is the one that pays. */
  askedBy: bigint | null
}

export const readBatchRow = async (sql: Sql, batchId: bigint, line: number): Promise<BatchRow | null> => {
  const [row] = await sql<BatchRow[]>`
    select r.line, r.lookup_id as "lookupId", r.first, r.cancelled, r.repair, r.reject_reason as "rejectReason",
           r.reject_detail as "rejectDetail", l.batch_id as "askedBy"
      from batch_row r
      left join lookup l on l.id = r.lookup_id
     where r.batch_id = ${batchId} and r.line = ${line}`
  return row ?? null
}
