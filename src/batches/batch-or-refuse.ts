import { SaidError } from '../domain/said/said-error.ts'
import { type Batch, readBatch } from '../store/batches/batches.ts'
import type { Sql } from '../store/connect.ts'

export const batchOrRefuse = async (sql: Sql, id: bigint): Promise<Batch> => {
  const batch = await readBatch(sql, id)
  if (!batch) throw new BatchRefusal(['no_batch', id])
  return batch
}

/** A batch cannot do what a person asks of it now; the message says why and what can be done. */
export class BatchRefusal extends SaidError {
  override readonly name = 'BatchRefusal'
}
