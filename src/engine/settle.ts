import { spendingKinds } from '../domain/kind.ts'
import { countEnded, findComplete, finishBatches } from '../store/batches/counts.ts'
import type { Sql } from '../store/connect.ts'
import { type Released, type TakenStep, writeSteps } from '../store/lookups/lookup-steps.ts'
import { endOverdue, lockOverdue, parkUnjudged } from '../store/lookups/overdue.ts'
import { returnToBatch, returnToDay } from '../store/purchases/spending.ts'
import type { Engine } from './engine.ts'

/**
 * Writes a group of steps. Look-ups that ended are counted, and unspent units given back, in the same transaction. Returns
 * the batches that may have finished.
 */
export const settle = async <Tools>(engine: Engine<Tools>, taken: TakenStep[]): Promise<bigint[]> => {
  const now = engine.clock()
  const givesBack = taken.some(({ step }) => step.from === 'sending' && step.charged === 'no')
  if (!givesBack) return (await writeSteps(engine.sql, taken, now)).touched
  return engine.sql.begin(async (tx) => {
    const { touched, released } = await writeSteps(tx, taken, now)
    await giveBack(tx, released, engine)
    return touched
  })
}

/** Locks batches in their order, then days, as the code that reserves units does. */
const giveBack = async <Tools>(tx: Sql, released: Released[], { today }: Engine<Tools>): Promise<void> => {
  const spent = released.filter(({ kind }) => spendingKinds.includes(kind))
  const batches = [...Map.groupBy(spent, ({ batchId }) => batchId)].sort(([a], [b]) => Number(a - b))
  for (const [batchId, group] of batches) await returnToBatch(tx, batchId, group.length)
  const days = [...Map.groupBy(spent, ({ sendingAt }) => today(sendingAt))].sort()
  for (const [day, group] of days) await returnToDay(tx, day, group.length)
}

/**
 * Finishes the batches whose last row has ended, and orders their reports, once each. Without ids it checks all batches.
 *
 * It runs after the commit that ended the rows: if two transactions end the last rows of a batch together, neither sees the
 * rows of the other before that. If a worker dies in between, the next check of all batches finishes them.
 */
export const finishTouched = async <Tools>(engine: Engine<Tools>, batchIds: bigint[] | null): Promise<void> => {
  if (batchIds?.length === 0) return
  const complete = await findComplete(engine.sql, batchIds)
  if (complete.length === 0) return
  await engine.sql.begin(async (tx) => {
    const finished = await finishBatches(tx, complete, engine.clock())
    if (finished.length > 0) await engine.finished(tx, finished)
  })
}

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
