import { findComplete, finishBatches } from '../store/counts.ts'
import type { Engine } from './engine.ts'

/**
 * Finishes the batches whose last row has ended, and orders their reports, once each. Without ids it looks at all.
 *
 * It runs after the commit that ended the rows: of two that end the last rows of a batch together, neither can see the
 * other's before. A worker that dies in between leaves it to the next look at all.
 */
export const finishTouched = async <Tools>(engine: Engine<Tools>, batchIds: bigint[] | null): Promise<void> => {
  if (batchIds?.length === 0) return
  const complete = await findComplete(engine.sql, batchIds)
  if (complete.length === 0) return
  await engine.sql.begin(async (tx) => {
    const finished = await finishBatches(tx, complete, engine.clock())
    if (finished.length > 0) await engine.finished(tx, finished)
  })
}
