import type { DueBatch, Quota } from '../store/lookups/due-lookups.ts'

/** Who was served last, per capacity: the next pass begins with the one after. */
export type Turns = Map<string, Place>

type Place = Pick<DueBatch, 'batchId' | 'state'>

/**
 * How many look-ups of each batch may be dispatched now; advances the turns.
 *
 * A capacity is divided evenly between the batches that want it, so that a file of a thousand rows does not wait behind one
 * of half a million. What cannot be divided goes to the batches whose turn it is, one each. If there are more batches than
 * places, each batch is served within one round.
 *
 * A held lane sends one trial, whether or not there is capacity.
 */
export const fairShares = (
  due: DueBatch[],
  groupOf: (batch: DueBatch) => { group: string; size: number },
  turns: Turns,
): Quota[] => {
  const trials = due.filter(({ trial }) => trial).map((batch) => quotaOf(batch, 1))
  const groups = Map.groupBy(
    due.filter(({ trial }) => !trial),
    (batch) => groupOf(batch).group,
  )
  const shares = [...groups].flatMap(([group, batches]) => {
    const { size } = groupOf(batches[0]!)
    const inTurn = startBehind(turns.get(group), batches)
    const last = inTurn[(size % inTurn.length) - 1]
    if (last) turns.set(group, { batchId: last.batchId, state: last.state })
    return divide(size, inTurn)
  })
  return [...trials, ...shares.filter(({ take }) => take > 0)]
}

const divide = (size: number, inTurn: DueBatch[]): Quota[] => {
  const each = Math.floor(size / inTurn.length)
  const left = size % inTurn.length
  return inTurn.map((batch, i) => quotaOf(batch, each + (i < left ? 1 : 0)))
}

const quotaOf = ({ batchId, kind, state, trial }: DueBatch, take: number): Quota => ({
  batchId,
  kind,
  state,
  take,
  trial,
})

/** By number and not by position: between two passes batches end and others arrive. */
const startBehind = (last: Place | undefined, batches: DueBatch[]): DueBatch[] => {
  const ordered = batches.toSorted(inOrder)
  const start = last ? ordered.findIndex((batch) => inOrder(batch, last) > 0) : 0
  return start > 0 ? [...ordered.slice(start), ...ordered.slice(0, start)] : ordered
}

const inOrder = (a: Place, b: Place): number =>
  a.batchId === b.batchId ? a.state.localeCompare(b.state) : a.batchId < b.batchId ? -1 : 1
