import { judgedAfterMs } from '../domain/advance.ts'
import { intentKinds, type Kind, spendingKinds } from '../domain/kind.ts'
import type { Lookup } from '../domain/lookup.ts'
import { asNotSent, outcomeOf } from '../domain/outcome.ts'
import type { Clearance } from '../purchases/check-purchases.ts'
import type { Places } from '../registry/admission.ts'
import { countEnded } from '../store/batches/counts.ts'
import { assignPayers } from '../store/batches/payers.ts'
import type { Sql } from '../store/connect.ts'
import { beginSending, isOutdated, type Sending, takeBackIntents } from '../store/lookups/intents.ts'
import { readWorkable } from '../store/lookups/lookup-rows.ts'
import { endOverBudget } from '../store/lookups/lookup-steps.ts'
import { isBeyondMeans, reserveForBatch, reserveForDay, returnToBatch } from '../store/purchases/spending.ts'
import { type Chunk, holdUnsent, mustStop, openSendWindow, transition, turnOf, writeTurn } from './chunk.ts'
import type { Engine } from './engine.ts'
import { listAnswers, stopLane } from './hold.ts'
import { finishTouched } from './settle.ts'

/** Look-ups that may take their turn now, each with a place. Places that are not used are released. */
type Group = { lookups: Lookup[]; places: Places; isTooLate?: () => boolean }

/** The look-ups of a chunk in groups, as places become free, with their intents recorded if they need one. */
export async function* feed<Tools>(chunk: Chunk<Tools>): AsyncGenerator<Group> {
  const lookups = await workable(chunk)
  if (lookups.length === 0) return
  if (!needsIntent(chunk)) return yield* freely(chunk, lookups)
  const { engine, account, payload } = chunk
  const clearance = await engine.checkPurchases(account, payload.kind, lookups, engine.draining)
  if (!clearance) return
  if ('cause' in clearance) return holdUnsent(chunk, clearance)
  if (payload.trial) await listAnswers(engine, payload)
  yield* withIntents(chunk, clearance)
}

const needsIntent = <Tools>({ payload }: Chunk<Tools>): boolean =>
  payload.state === 'queued' && intentKinds.includes(payload.kind)

async function* freely<Tools>(chunk: Chunk<Tools>, lookups: Lookup[]): AsyncGenerator<Group> {
  if (!(await isPrepared(chunk, lookups))) return
  while (lookups.length > 0 && !mustStop(chunk)) {
    using places = await admit(chunk, lookups.length)
    yield { lookups: lookups.splice(0, places.count), places }
  }
}

/** Places are taken before intents are recorded, so that a recorded call is sent at once. */
async function* withIntents<Tools>(chunk: Chunk<Tools>, { toBuy, server, holds }: Clearance): AsyncGenerator<Group> {
  const { engine, payload, jobId } = chunk
  const ids = toBuy.map(({ id }) => id)
  while (ids.length > 0 && !mustStop(chunk) && holds()) {
    using places = await admit(chunk, ids.length)
    if (places.count === 0) return
    const isTooLate = openSendWindow(chunk)
    const lookups = await beginIntents(engine, payload, ids.splice(0, places.count), jobId, server)
    if (lookups.length === 0) continue
    if (!(await isPrepared(chunk, lookups))) return
    yield { lookups, places, isTooLate }
  }
}

const admit = <Tools>({ engine, payload }: Chunk<Tools>, wanted: number): Promise<Places> =>
  engine.admit(wanted, engine.draining, { first: payload.small })

/** In the order of dispatch, so that the first rows of a file come first. */
const workable = async <Tools>({ engine, ids, jobId }: Chunk<Tools>): Promise<Lookup[]> => {
  const order = new Map(ids.map((id, place) => [id, place]))
  const lookups = await readWorkable(engine.sql, ids, jobId, engine.clock())
  return lookups.sort((a, b) => order.get(a.id)! - order.get(b.id)!)
}

/** Runs `prepare` once, when the first look-up needs it. If that fails, all look-ups of the chunk fail with it. */
const isPrepared = async <Tools>(chunk: Chunk<Tools>, lookups: Lookup[]): Promise<boolean> => {
  if (!chunk.job.prepare || chunk.shared !== undefined) return true
  try {
    chunk.shared = await chunk.job.prepare(lookups, turnOf(chunk))
    return true
  } catch (error) {
    chunk.writer.expect(lookups.length)
    const outcome = asNotSent(outcomeOf(error))
    for (const lookup of lookups) void writeTurn(chunk, lookup, transition(chunk, lookup, outcome))
    return false
  }
}

/**
 * Commits the intent to call, and the units that it may cost, before anything is sent.
 *
 * That is one statement, unless not everything fits. What exceeds a batch's own limit is transferred to another batch that
 * wants it, or ends as over budget. What exceeds the day's budget holds the lane until tomorrow.
 */
const beginIntents = async <Tools>(
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
