import { retryBatch } from '../../src/batches/retry.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import type { Arena } from './arena.ts'
import { steeringOf } from './model/person.ts'

/**
 * A look-up that was the only claimed one three times when its worker died is quarantined as failed, guilty or not. Among
 * hundreds of kills this happens to some. An operator then retries it, and what was bought is only fetched.
 */
export const retryQuarantined = async (arena: Arena): Promise<number> => {
  const isQuarantined = await arena.sql<{ id: bigint; batchIds: bigint[] }[]>`
    select l.id, array_agg(distinct r.batch_id) as "batchIds"
      from vigia.lookup l
      join vigia.batch_row r on r.lookup_id = l.id
     where l.state = 'failed' and l.message ->> 0 = 'died_thrice'
     group by l.id`
  const since = new Date()
  for (const batchId of new Set(isQuarantined.flatMap(({ batchIds }) => batchIds))) {
    const freshSince = new Date(since.getTime() - 86_400_000)
    const again = { ...steeringOf(arena), states: ['failed'] as const, freshSince, adopts: true }
    const rows = await retryBatch(arena.sql, batchId, again)
    if (rows > 0)
      await arena.until(async () => ((await readBatch(arena.sql, batchId))?.exportedAt ?? since) > since, 120_000)
  }
  return isQuarantined.length
}
