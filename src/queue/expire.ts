import { countEnded } from '../store/counts.ts'
import { endOverdue, parkUnjudged } from '../store/overdue.ts'
import type { Engine } from './engine.ts'
import { finishTouched } from './finish.ts'

/** Ends look-ups whose deadline passed while nothing could be done for them, and finishes batches that nobody did. */
export const expireOverdue = async <Tools>(engine: Engine<Tools>): Promise<number> => {
  const ended = await engine.sql.begin(async (tx) => {
    const now = engine.clock()
    const overdue = [...(await endOverdue(tx, now)), ...(await parkUnjudged(tx, now))]
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
