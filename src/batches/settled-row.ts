import type { UnitPrices } from '../domain/amount.ts'
import type { Sql } from '../store/connect.ts'
import { completeStatus } from '../views/batch-status.ts'
import type { Mask } from '../views/row-history.ts'
import type { SettledRowShown } from '../views/settled-row.ts'
import { readRowHistory } from './row-history.ts'
import { readStatus } from './status.ts'

type Terms = { now: Date; prices: UnitPrices | null; mask: Mask }

/** A row that was settled, in its current state, and its batch. */
export const readSettledRow = async (
  sql: Sql,
  { batch, line }: { batch: bigint; line: number },
  { now, prices, mask }: Terms,
): Promise<SettledRowShown> => ({
  row: await readRowHistory(sql, batch, line, mask),
  status: await completeStatus(sql, await readStatus(sql, batch, now), prices),
})
