import { z } from 'zod'
import type { Sql } from '../store/connect.ts'
import { countLiveWorkers } from '../store/fleet/workers.ts'

/** What came of a file that was handed in. */
export const submitted = z.object({
  batch: z.int(),
  repeated: z.boolean().describe('the same bytes are that batch already'),
  sha256: z.string(),
  workers: z.int(),
})
export type SubmittedShown = z.output<typeof submitted>

type Taken = { batchId: bigint; repeated: boolean; sha256: string }

export const toSubmittedView = async (sql: Sql, { batchId, repeated, sha256 }: Taken): Promise<SubmittedShown> => ({
  batch: Number(batchId),
  repeated,
  sha256,
  workers: await countLiveWorkers(sql),
})
