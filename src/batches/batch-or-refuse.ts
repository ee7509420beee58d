import { MessageError } from '../messages/message.ts'
import { type Batch, readBatch } from '../store/batches/batches.ts'
import type { Sql } from '../store/connect.ts'
import { documentColumns } from '../views/own-row.ts'

export const batchOrRefuse = async (sql: Sql, id: bigint): Promise<Batch> => {
  const batch = await readBatch(sql, id)
  if (!batch) throw new BatchRefusal(['no_batch', id])
  return batch
}

/** Which document of a row stands in this column; undefined where none is named. */
export const partOrRefuse = (batch: Pick<Batch, 'layout'>, column: string | undefined): number | undefined => {
  if (column === undefined) return undefined
  const columns = documentColumns(batch)
  const part = columns.findIndex((name) => name.toLowerCase() === column.trim().toLowerCase())
  if (part >= 0) return part
  throw new BatchRefusal(['no_document_column_named', JSON.stringify(column.slice(0, 80)), columns.join(', ') || null])
}

/** Refuses a cost above the quote that a person agreed to; undefined accepts any cost. */
export const refuseAbove = (atMost: number | undefined, id: bigint, cost: number): void => {
  if (atMost !== undefined && cost > atMost) throw new BatchRefusal(['costs_more', id, cost, atMost])
}

/** A request about a batch that is not possible now; the message says why and what can be done. */
export class BatchRefusal extends MessageError {
  override readonly name = 'BatchRefusal'
}
