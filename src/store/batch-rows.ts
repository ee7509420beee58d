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
}

export const readBatchRow = async (sql: Sql, batchId: bigint, line: number): Promise<BatchRow | null> => {
  const [row] = await sql<BatchRow[]>`
    select line, lookup_id as "lookupId", first, cancelled, repair, reject_reason as "rejectReason",
           reject_detail as "rejectDetail"
      from batch_row
     where batch_id = ${batchId} and line = ${line}`
  return row ?? null
}
