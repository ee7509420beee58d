import { countEnded } from '../store/batches/counts.ts'
import { endOverdue, lockOverdue, parkUnjudged } from '../store/lookups/overdue.ts'
import type { Engine } from './engine.ts'
import { finishTouched } from './settle.ts'

/** Ends look-ups whose deadline passed while they could not be worked on, and finishes batches that are complete. */
export const expireOverdue = async <Tools>(engine: Engine<Tools>): Promise<number> => {
  const ended = await engine.sql.begin(async (tx) => {
    const now = engine.clock()
    const late = (await lockOverdue(tx, now)).map(({ id }) => id)
    const overdue = [...(await endOverdue(tx, late, now)), ...(await parkUnjudged(tx, now))]
    await countEnded(
      tx,
      overdue.map(({ id }) => id),
    )
    return overdue.length
  })
  if (ended > 0) engine.log.warn({ lookups: ended }, 'look-ups passed their deadline')
  await finishTouched(engine, null)
  return ended
}
