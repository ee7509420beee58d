import { judgedAfterMs } from '../domain/advance.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { Lookup } from '../domain/lookup.ts'
import type { Sql } from '../store/connect.ts'
import { countEnded } from '../store/counts.ts'
import { beginSending, endOverBudget, lockSendable } from '../store/lookup-steps.ts'
import { reserveForBatch, reserveForDay, returnToBatch } from '../store/spending.ts'
import type { Engine } from './engine.ts'
import { holdLane } from './hold.ts'

/**
 * Commits the intent to call, and the units it may cost, before anything is sent.
 *
 * What does not fit under a batch's own limit ends as over budget; what does not fit under the day's budget
 * holds the lane until tomorrow.
 */
export const beginIntents = async <Tools>(
  engine: Engine<Tools>,
  lane: { organizationId: number; kind: Kind },
  ids: bigint[],
  jobId: string,
): Promise<Lookup[]> => {
  const now = engine.clock()
  const judgedAt = new Date(now.getTime() + judgedAfterMs(engine.patience(lane.kind).requestTimeoutMs))
  const { begun, refusedByDay } = await engine.sql.begin(async (tx) => {
    const sendable = await lockSendable(tx, ids, jobId, now)
    const paid = spendingKinds.includes(lane.kind) ? await reserve(tx, engine, sendable, now) : allOf(sendable)
    return { begun: await beginSending(tx, paid.granted, now, judgedAt), refusedByDay: paid.refusedByDay }
  })
  if (refusedByDay) await holdLane(engine, lane, 'budget', `the day's budget of ${engine.budgetPerDay} is spent`)
  return begun
}

type Sendable = { id: bigint; batchId: bigint }
type Reserved = { granted: bigint[]; refusedByDay: boolean }

const allOf = (sendable: Sendable[]): Reserved => ({ granted: sendable.map(({ id }) => id), refusedByDay: false })

const reserve = async <Tools>(tx: Sql, engine: Engine<Tools>, sendable: Sendable[], now: Date): Promise<Reserved> => {
  const day = engine.today(now)
  const granted: bigint[] = []
  let refusedByDay = false
  const batches = [...Map.groupBy(sendable, ({ batchId }) => batchId)].sort(([a], [b]) => Number(a - b))
  for (const [batchId, wanted] of batches) {
    const fits = await reserveForBatch(tx, batchId, wanted.length)
    await endBeyondLimit(tx, engine, wanted.slice(fits), now)
    const today = fits > 0 ? await reserveForDay(tx, day, fits, engine.budgetPerDay) : 0
    if (today < fits) {
      refusedByDay = true
      await returnToBatch(tx, batchId, fits - today)
    }
    granted.push(...wanted.slice(0, today).map(({ id }) => id))
  }
  return { granted, refusedByDay }
}

const endBeyondLimit = async <Tools>(tx: Sql, engine: Engine<Tools>, beyond: Sendable[], now: Date): Promise<void> => {
  if (beyond.length === 0) return
  const ids = beyond.map(({ id }) => id)
  await endOverBudget(tx, ids, now)
  const finished = await countEnded(tx, ids, now)
  if (finished.length > 0) await engine.finished(tx, finished)
}
