import { type FormatMessage, inText } from '../messages/message.ts'
import { stillMoves } from '../store/batches/standing.ts'
import type { Sql } from '../store/connect.ts'
import { type BatchStatus, toStatusView } from '../views/batch-status.ts'
import { batchOrRefuse } from './batch-or-refuse.ts'

export const readStatus = async (
  sql: Sql,
  id: bigint,
  now: Date,
  formatMessage: FormatMessage = inText,
): Promise<BatchStatus> => toStatusView(sql, await batchOrRefuse(sql, id), now, formatMessage)

/** Held by a cause that is not retried within minutes, and no call is under way: waiting does not help soon. */
export const isStuck = async (sql: Sql, { batch, hold, organization, kind }: BatchStatus): Promise<boolean> =>
  hold?.needsPerson === true && !(await stillMoves(sql, BigInt(batch), { organizationId: BigInt(organization), kind }))
