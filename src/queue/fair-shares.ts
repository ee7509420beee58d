import type { DueBatch, Quota } from '../store/due-lookups.ts'

/**
 * How many look-ups of each batch may go out now.
 *
 * The room of a queue is divided evenly between the batches that want it, so that a file of twenty rows
 * does not wait behind one of half a million. A held lane sends one probe.
 */
export const fairShares = (due: DueBatch[], roomOf: (batch: DueBatch) => { queue: string; room: number }): Quota[] => {
  const queues = Map.groupBy(due, (batch) => roomOf(batch).queue)
  return [...queues.values()].flatMap((batches) => {
    const room = roomOf(batches[0] as DueBatch).room
    const each = Math.ceil(room / batches.length)
    return batches
      .map(({ batchId, kind, state, probe }, i) => ({ batchId, kind, state, take: probe ? 1 : share(room, each, i) }))
      .filter(({ take }) => take > 0)
  })
}

const share = (room: number, each: number, index: number): number => Math.max(0, Math.min(each, room - each * index))
