import { MessageError } from '../messages/message.ts'
import { type Batch, readBatch } from '../store/batches/batches.ts'
import { stillMoves } from '../store/batches/standing.ts'
import type { Sql } from '../store/connect.ts'
import { type BatchStatus, toStatusView } from '../views/batch-status.ts'
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

export const readStatus = async (sql: Sql, id: bigint, now: Date): Promise<BatchStatus> =>
  toStatusView(sql, await batchOrRefuse(sql, id), now)

/** Held by a cause that is not retried within minutes, and no call is under way: waiting does not help soon. */
export const isStuck = async (sql: Sql, { batch, hold, organization, kind }: BatchStatus): Promise<boolean> =>
  hold?.needsPerson === true && !(await stillMoves(sql, BigInt(batch), { organizationId: BigInt(organization), kind }))
