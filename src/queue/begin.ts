import { judgedAfterMs } from '../domain/advance.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { Lookup } from '../domain/lookup.ts'
import type { Sql } from '../store/connect.ts'
import { countEnded } from '../store/counts.ts'
import { type Begun, beginSending, endOverBudget, takeBackIntents } from '../store/lookup-steps.ts'
import { reserveForBatch, reserveForDay, returnToBatch } from '../store/spending.ts'
import { handOver } from '../store/steering.ts'
import type { Engine } from './engine.ts'
import { finishTouched } from './finish.ts'
import { holdLane } from './hold.ts'

/**
 * Commits the intent to call, and the units it may cost, before anything is sent.
 *
 * What does not fit under a batch's own limit is left to another batch that wants it, or ends as over budget; what does
 * not fit under the day's budget holds the lane until tomorrow. Units are reserved last: everyone who spends passes
 * through these two rows.
 */
export const beginIntents = async <Tools>(
  engine: Engine<Tools>,
  lane: { organizationId: number; kind: Kind },
  ids: bigint[],
  jobId: string,
  server: string,
): Promise<Lookup[]> => {
  const now = engine.clock()
  const judgedAt = new Date(now.getTime() + judgedAfterMs(engine.patience(lane.kind).requestTimeoutMs))
  const { begun, refusedByDay, touched } = await engine.sql.begin(async (tx) => {
    const intents = await beginSending(tx, ids, jobId, { now, judgedAt, server })
    return spendingKinds.includes(lane.kind) ? reserve(tx, engine, intents, now) : allOf(intents)
  })
  await finishTouched(engine, touched)
  const reason = `the day's budget of ${engine.budgetPerDay} is spent`
  if (refusedByDay) await holdLane(engine, lane, { cause: 'budget', reason })
  return begun
}

type Reserved = { begun: Begun[]; refusedByDay: boolean; touched: bigint[] }

const allOf = (begun: Begun[]): Reserved => ({ begun, refusedByDay: false, touched: [] })

const reserve = async <Tools>(tx: Sql, engine: Engine<Tools>, intents: Begun[], now: Date): Promise<Reserved> => {
  const reserved: Reserved = allOf([])
  const batches = [...Map.groupBy(intents, ({ batchId }) => batchId)].sort(([a], [b]) => Number(a - b))
  for (const [batchId, wanted] of batches) {
    const fits = await reserveForBatch(tx, batchId, wanted.length)
    const today = fits > 0 ? await reserveForDay(tx, engine.today(now), fits, engine.budgetPerDay) : 0
    reserved.begun.push(...wanted.slice(0, today))
    if (today < fits) {
      reserved.refusedByDay = true
      await returnToBatch(tx, batchId, fits - today)
      await takeBackIntents(tx, idsOf(wanted.slice(today, fits)), now)
    }
    if (fits < wanted.length) {
      const beyond = idsOf(wanted.slice(fits))
      await takeBackIntents(tx, beyond, now)
      await handOver(tx, batchId, { only: beyond })
      reserved.touched.push(...(await countEnded(tx, await endOverBudget(tx, batchId, beyond, now))))
    }
  }
  return reserved
}

const idsOf = (lookups: Begun[]): bigint[] => lookups.map(({ id }) => id)
