import { z } from 'zod'
import type { Sql } from '../store/connect.ts'
import { countLiveWorkers } from '../store/fleet/workers.ts'

/** The response to a submitted file. */
export const submitted = z.object({
  batch: z.int(),
  repeated: z.boolean().describe('the same bytes were submitted before, as that batch'),
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
