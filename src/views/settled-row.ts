import { z } from 'zod'
import { wholeStatus } from './batch-status.ts'
import { rowStory } from './row-story.ts'

/**
 * What is said to whoever settled a parked row: the row, and its batch. Before both said so, the API answered with the
 * keys of the batch and the command line with those of the row; each still does, beside these two. `state` is in both.
 */
const settledRow = z.object({ row: rowStory, status: wholeStatus })
export type SettledRowShown = z.output<typeof settledRow>

export const settledOverApi = wholeStatus.extend(settledRow.shape)
export const tellSettledOverApi = (settled: SettledRowShown): z.output<typeof settledOverApi> => ({
  ...settled.status,
  ...settled,
})

export const settledByCommand = rowStory.extend(settledRow.shape)
export const tellSettledByCommand = (settled: SettledRowShown): z.output<typeof settledByCommand> => ({
  ...settled.row,
  ...settled,
})
