import { randomUUID } from 'node:crypto'
import { inTransaction } from '../queue/boss.ts'
import { type Depth, queueDepths } from '../queue/boss-tables.ts'
import type { Sql } from '../store/connect.ts'
import { beginTrial } from '../store/fleet/lanes.ts'
import { type Claim, claimLookups, lockDispatch } from '../store/lookups/claims.ts'
import {
  type DueBatch,
  type DueLookup,
  findDueBatches,
  findDueLookups,
  findTrialLookups,
  type LookupStep,
  type Quota,
} from '../store/lookups/due-lookups.ts'
import type { ChunkPayload } from './chunk.ts'
import { type AnyLookupJob, type Engine, jobFor } from './engine.ts'
import { nextTrial } from './hold.ts'
import { expireOverdue } from './settle.ts'

/**
 * One pass: assigns due look-ups to jobs, fairly over batches and lanes, in one transaction. Returns how many.
 *
 * It searches only for what there is capacity for, which is nothing most of the time if many workers are busy. Any number
 * of workers may call it at once; one dispatches at a time.
 *
 * What passed its deadline before it was asked ends here: as a job it would be refused, and dispatched again at once.
 */
export const dispatchDue = async <Tools>(engine: Engine<Tools>, chunkSize: number, turns: Turns): Promise<number> => {
  const now = engine.clock()
  const names = engine.jobs.map(({ name }) => name)
  const capacities = createCapacities(await queueDepths(engine.sql, names), chunkSize)
  const due = await findDueBatches(engine.sql, stepsOf(engine.jobs, capacities), now)
  const queueOf = (batch: DueBatch) => jobFor(engine.jobs, batch).name
  const quotas = fairShares(due, (batch) => capacities.of(queueOf(batch), batch.rows), turns)
  if (quotas.length === 0) return 0
  const small = new Set(due.filter((batch) => capacities.isSmall(queueOf(batch), batch.rows)).map(batchStepOf))
  const { dispatched, foundLate } = await engine.sql.begin((tx) => handOut(tx, engine, quotas, small, chunkSize, now))
  if (foundLate) await expireOverdue(engine)
  return dispatched
}

const stepsOf = <Tools>(jobs: readonly AnyLookupJob<Tools>[], capacities: Capacities): LookupStep[] => {
  const steps: LookupStep[] = []
  for (const { name, kinds, takes } of jobs) {
    const mostRows = capacities.mostRows(name)
    for (const kind of kinds) for (const state of takes) steps.push({ kind, state, mostRows })
  }
  return steps
}

/** How many jobs of a queue may wait to be taken: enough to keep workers busy, few enough to stay fair. */
const mostWaiting = 2

/** No other job is put before one that has waited this long. */
const longestPassedMs = 5_000

/** How many jobs each queue can take now. Small files have their own capacity, because a separate loop takes only them. */
type Capacities = {
  of(queue: string, rows: number): { group: string; size: number }
  /** A file that fits into one job goes before large ones: it is soon done, and they are hardly delayed. */
  isSmall(queue: string, rows: number): boolean
  /** How large a batch may be that is worth searching: any size, small, or none. */
  mostRows(queue: string): number
}

const anyNumber = 2 ** 31 - 1

const createCapacities = (depths: ReadonlyMap<string, Depth>, chunkSize: number): Capacities => {
  const sizeFor = (waiting: number | undefined): number => Math.max(0, mostWaiting - (waiting ?? 0)) * chunkSize
  const large = (queue: string) => ({ group: queue, size: sizeFor(depths.get(queue)?.large) })
  const small = (queue: string) => ({ group: `${queue}/small`, size: sizeFor(depths.get(queue)?.small) })
  const mayPass = (queue: string): boolean => (depths.get(queue)?.waitedMs ?? 0) < longestPassedMs
  const isSmall = (queue: string, rows: number): boolean => rows <= chunkSize && mayPass(queue)
  return {
    of: (queue, rows) => (isSmall(queue, rows) ? small(queue) : large(queue)),
    isSmall,
    mostRows(queue) {
      if (large(queue).size > 0) return anyNumber
      return mayPass(queue) && small(queue).size > 0 ? chunkSize : 0
    },
  }
}

/** Jobs of small files are taken before any other. */
export const priorityOfSmall = 1

const batchStepOf = ({ batchId, state }: Pick<DueBatch, 'batchId' | 'state'>): string => `${batchId}/${state}`

const handOut = async <Tools>(
  tx: Sql,
  engine: Engine<Tools>,
  quotas: Quota[],
  small: ReadonlySet<string>,
  chunkSize: number,
  now: Date,
): Promise<{ dispatched: number; foundLate: boolean }> => {
  if (!(await lockDispatch(tx))) return { dispatched: 0, foundLate: false }
  const [trials, shares] = [quotas.filter(({ trial }) => trial), quotas.filter(({ trial }) => !trial)]
  const due = await findDueLookups(tx, shares, now)
  const tries = trials.length > 0 ? await findTrialLookups(tx, trials, now) : []
  const foundLate = [...due, ...tries].some(({ isLate }) => isLate)
  const chunks = [...makeChunks(timely(due), chunkSize, small), ...(await beginTrials(tx, engine, timely(tries), now))]
  if (chunks.length === 0) return { dispatched: 0, foundLate }
  const hands = chunks.map((chunk) => ({ ...chunk, jobId: randomUUID() }))
  await claimLookups(tx, hands.map(claimOf), now)
  for (const [name, group] of Map.groupBy(hands, ({ lookups }) => jobFor(engine.jobs, lookups[0]!).name)) {
    const jobs = group.map(({ jobId, ...chunk }) => ({
      id: jobId,
      data: payloadOf(chunk),
      priority: chunk.small ? priorityOfSmall : 0,
    }))
    await engine.boss.insert(name, jobs, inTransaction(tx))
  }
  return { dispatched: hands.reduce((sum, { lookups }) => sum + lookups.length, 0), foundLate }
}

const timely = (lookups: DueLookup[]): DueLookup[] => lookups.filter(({ isLate }) => !isLate)

const claimOf = ({ jobId, lookups }: Chunk & { jobId: string }): Claim => ({
  jobId,
  state: lookups[0]!.state,
  ids: lookups.map(({ id }) => id),
})

/** Gives a held lane one look-up, the best of its candidates. Only the worker that begins the trial does so. */
const beginTrials = async <Tools>(
  tx: Sql,
  engine: Engine<Tools>,
  candidates: DueLookup[],
  now: Date,
): Promise<Chunk[]> => {
  const chunks: Chunk[] = []
  for (const [best] of Map.groupBy(candidates, ({ organizationId, kind }) => `${organizationId}/${kind}`).values()) {
    const begun = await beginTrial(tx, best!, now, (cause, trials) => nextTrial(engine, cause, trials, now))
    if (begun) chunks.push({ lookups: [best!], small: false, trial: true })
  }
  return chunks
}

const payloadOf = ({ lookups, small, trial = false }: Chunk): ChunkPayload => {
  const { organizationId, kind, state } = lookups[0]!
  return { organizationId: Number(organizationId), kind, state, ids: lookups.map(({ id }) => String(id)), trial, small }
}

/** The look-ups of one job: one lane and one state; small files and suspects are kept apart. */
type Chunk = { lookups: DueLookup[]; small: boolean; trial?: boolean }

/** A look-up that was in a full job, in a small one and then three times alone in a job when the worker died. */
export const fatalDeaths = 5

export const makeChunks = (lookups: DueLookup[], size: number, small: ReadonlySet<string>): Chunk[] => {
  const isSmall = (lookup: DueLookup) => small.has(batchStepOf(lookup))
  const lanes = Map.groupBy(
    lookups,
    (l) => `${l.organizationId}/${l.kind}/${l.state}/${Math.min(l.workerDeaths, 2)}/${isSmall(l)}`,
  )
  return [...lanes.values()].flatMap((lane) => {
    const { workerDeaths = 0 } = lane[0] ?? {}
    const most = workerDeaths === 0 ? size : workerDeaths === 1 ? Math.min(16, size) : 1
    return Array.from({ length: Math.ceil(lane.length / most) }, (_, i) => ({
      lookups: lane.slice(i * most, (i + 1) * most),
      small: isSmall(lane[0]!),
    }))
  })
}

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
