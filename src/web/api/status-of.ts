import { readStatus } from '../../batches/status.ts'
import { completeStatus } from '../../views/batch-status.ts'
import type { Site } from '../site.ts'

/** One batch, as every route that reads or steers it answers. */
export const statusOf = async ({ engine, settings }: Site, id: bigint) =>
  completeStatus(engine.sql, await readStatus(engine.sql, id, engine.clock()), settings.budget.unitPrice)
