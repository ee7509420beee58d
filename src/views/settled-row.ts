import { z } from 'zod'
import { fullStatus } from './batch-status.ts'
import { rowHistory } from './row-history.ts'

/** The response to a person who settled a parked row: the row and its batch. */
export const settledRow = z.object({ row: rowHistory, status: fullStatus })
export type SettledRowShown = z.output<typeof settledRow>
