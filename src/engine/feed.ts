import { intentKinds } from '../domain/kind.ts'
import type { Lookup } from '../domain/lookup.ts'
import { asNotSent, outcomeOf } from '../domain/outcome.ts'
import type { Clearance } from '../purchases/check-purchases.ts'
import type { Places } from '../registry/admission.ts'
import { readWorkable } from '../store/lookups/lookup-rows.ts'
import { beginIntents } from './begin.ts'
import { type Chunk, holdUnsent, mustStop, openSendWindow, transition, turnOf, writeTurn } from './chunk.ts'
import { listAnswers } from './hold.ts'

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
