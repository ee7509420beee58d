import { countEnded } from '../store/counts.ts'
import { endOverdue } from '../store/overdue.ts'
import type { Engine } from './engine.ts'

/** Ends look-ups whose deadline passed while nothing could be done for them; returns how many. */
export const expireOverdue = async <Tools>(engine: Engine<Tools>): Promise<number> => {
  const now = engine.clock()
  return engine.sql.begin(async (tx) => {
    const ended = await endOverdue(tx, now)
    if (ended.length === 0) return 0
    const finished = await countEnded(
      tx,
      ended.map(({ id }) => id),
      now,
    )
    if (finished.length > 0) await engine.finished(tx, finished)
    engine.log.warn({ lookups: ended.length }, 'look-ups passed their deadline')
    return ended.length
  })
}
