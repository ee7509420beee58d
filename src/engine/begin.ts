import { judgedAfterMs } from '../domain/advance.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import { countEnded } from '../store/batches/counts.ts'
import { assignPayers } from '../store/batches/payers.ts'
import type { Sql } from '../store/connect.ts'
import { beginSending, isOutdated, type Sending, takeBackIntents } from '../store/lookups/intents.ts'
import { endOverBudget } from '../store/lookups/lookup-steps.ts'
import { isBeyondMeans, reserveForBatch, reserveForDay, returnToBatch } from '../store/purchases/spending.ts'
import type { Engine } from './engine.ts'
import { stopLane } from './hold.ts'
import { finishTouched } from './settle.ts'

/**
 * Commits the intent to call, and the units that it may cost, before anything is sent.
 *
 * That is one statement, unless not everything fits. What exceeds a batch's own limit is transferred to another batch that
 * wants it, or ends as over budget. What exceeds the day's budget holds the lane until tomorrow.
 */
export const beginIntents = async <Tools>(
  engine: Engine<Tools>,
  lane: { organizationId: number; kind: Kind },
  ids: bigint[],
  jobId: string,
  server: string,
): Promise<Sending[]> => {
  const now = engine.clock()
  const intent = { now, judgedAfterMs: judgedAfterMs(engine.timeouts(lane.kind).requestTimeoutMs), server }
  const dailyBudget = spendingKinds.includes(lane.kind) ? { day: engine.today(now), perDay: engine.budgetPerDay } : null
  try {
    const begun = await beginSending(engine.sql, ids, jobId, intent, dailyBudget)
    if (begun.length === 0 && (await isOutdated(engine.sql))) throw new Error(outdated)
    return begun
  } catch (error) {
    if (!isBeyondMeans(error)) throw error
  }
  const { begun, refusedByDay, touched } = await engine.sql.begin(async (tx) =>
    reserve(tx, engine, await beginSending(tx, ids, jobId, intent), now),
  )
  await finishTouched(engine, touched)
  if (refusedByDay) await stopLane(engine, lane, { cause: 'budget', reason: ['day_spent', engine.budgetPerDay] })
  return begun
}

const outdated = 'A newer version of Vigia has updated the database, so this worker buys nothing more: stop it'

type Reserved = { begun: Sending[]; refusedByDay: boolean; touched: bigint[] }

/** Locks batches in their order and the day after them, in the same order as the code that gives units back. */
const reserve = async <Tools>(tx: Sql, engine: Engine<Tools>, intents: Sending[], now: Date): Promise<Reserved> => {
  const batches = [...Map.groupBy(intents, ({ batchId }) => batchId)].sort(([a], [b]) => Number(a - b))
  const fitting: Fitting[] = []
  const beyond: Sending[] = []
  for (const [batchId, wanted] of batches) {
    const fits = await reserveForBatch(tx, batchId, wanted.length)
    fitting.push({ batchId, lookups: wanted.slice(0, fits) })
    beyond.push(...wanted.slice(fits))
  }
  const touched = beyond.length > 0 ? await leaveToOthers(tx, beyond, now) : []
  return { ...(await reserveToday(tx, engine, fitting, now)), touched }
}

type Fitting = { batchId: bigint; lookups: Sending[] }

/** Transfers what its batch cannot pay to another batch that wants it, or ends it. */
const leaveToOthers = async (tx: Sql, intents: Sending[], now: Date): Promise<bigint[]> => {
  await takeBackIntents(tx, intents)
  const ids = intents.map(({ id }) => id)
  await assignPayers(tx, { lookups: ids })
  return countEnded(tx, await endOverBudget(tx, ids, now))
}

const reserveToday = async <Tools>(
  tx: Sql,
  engine: Engine<Tools>,
  fitting: Fitting[],
  now: Date,
): Promise<Omit<Reserved, 'touched'>> => {
  const wanted = fitting.reduce((sum, { lookups }) => sum + lookups.length, 0)
  let left = wanted > 0 ? await reserveForDay(tx, engine.today(now), wanted, engine.budgetPerDay) : 0
  const refusedByDay = left < wanted
  const begun: Sending[] = []
  for (const { batchId, lookups } of fitting) {
    const today = lookups.slice(0, left)
    const beyond = lookups.slice(today.length)
    begun.push(...today)
    left -= today.length
    if (beyond.length === 0) continue
    await returnToBatch(tx, batchId, beyond.length)
    await takeBackIntents(tx, beyond)
  }
  return { begun, refusedByDay }
}
