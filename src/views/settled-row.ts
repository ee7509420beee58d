import { z } from 'zod'
import { fullStatus } from './batch-status.ts'
import { rowHistory } from './row-history.ts'

/**
 * The response to a person who settled a parked row: the row and its batch. Earlier the API returned the keys of the
 * batch, and the command line those of the row; both still do, beside these two. `state` is in both.
 */
const settledRow = z.object({ row: rowHistory, status: fullStatus })
export type SettledRowShown = z.output<typeof settledRow>

export const settledOverApi = fullStatus.extend(settledRow.shape)
export const toSettledOverApiView = (settled: SettledRowShown): z.output<typeof settledOverApi> => ({
  ...settled.status,
  ...settled,
})

export const settledByCommand = rowHistory.extend(settledRow.shape)
export const toSettledByCommandView = (settled: SettledRowShown): z.output<typeof settledByCommand> => ({
  ...settled.row,
  ...settled,
})
