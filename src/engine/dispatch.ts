import { randomUUID } from 'node:crypto'
import { inTransaction } from '../queue/boss.ts'
import { queueDepths } from '../queue/boss-tables.ts'
import type { Sql } from '../store/connect.ts'
import { beginTrial } from '../store/fleet/lanes.ts'
import { type Claim, claimLookups, lockDispatch } from '../store/lookups/claims.ts'
import {
  type DueBatch,
  type DueLookup,
  findDueBatches,
  findDueLookups,
  type LookupStep,
  type Quota,
} from '../store/lookups/due-lookups.ts'
import type { ChunkPayload } from './chunk.ts'
import type { Engine } from './engine.ts'
import { fairShares, type Turns } from './fair-shares.ts'
import { nextTrial } from './hold.ts'
import { type AnyLookupJob, jobFor } from './lookup-job.ts'

/** Jobs of one queue that may wait to be taken: enough to keep workers busy, few enough to stay fair. */
const mostWaiting = 2

/** A job that has waited so long is passed by nobody. */
const longestPassedMs = 5_000

/**
 * One pass: hands due look-ups to jobs, fairly over batches and lanes, in one transaction. Returns how many.
 *
 * A file that fits into one job goes before those of large ones: it is soon done, and they hardly notice. Any number of
 * workers may run it at once; one of them hands out at a time.
 */
export const dispatchDue = async <Tools>(engine: Engine<Tools>, chunkSize: number, turns: Turns): Promise<number> => {
  const now = engine.clock()
  const depths = await queueDepths(
    engine.sql,
    engine.jobs.map(({ name }) => name),
  )
  const roomIn = (queue: string) => Math.max(0, mostWaiting - (depths.get(queue)?.jobs ?? 0)) * chunkSize
  // Only what there is room for is searched: where many workers are busy, that is nothing most of the time.
  const due = await findDueBatches(engine.sql, stepsOf(engine.jobs.filter(({ name }) => roomIn(name) > 0)), now)
  if (due.length === 0) return 0
  const queueOf = (batch: DueBatch) => jobFor(engine.jobs, batch).name
  const roomOf = (batch: DueBatch) => ({ queue: queueOf(batch), room: roomIn(queueOf(batch)) })
  const quotas = fairShares(due, roomOf, turns)
  if (quotas.length === 0) return 0
  const mayPass = (batch: DueBatch) => (depths.get(queueOf(batch))?.waitedMs ?? 0) < longestPassedMs
  const marks: Marks = {
    onTrial: new Set(due.filter(({ trial }) => trial).map(stepOf)),
    small: new Set(due.filter((batch) => batch.rows <= chunkSize && mayPass(batch)).map(batchStepOf)),
  }
  return engine.sql.begin((tx) => handOut(tx, engine, quotas, marks, chunkSize, now))
}

const stepsOf = <Tools>(jobs: readonly AnyLookupJob<Tools>[]): LookupStep[] =>
  jobs.flatMap(({ kinds, takes }) => kinds.flatMap((kind) => takes.map((state) => ({ kind, state }))))

/** The steps of lanes that are tried, and those of batches that go first. */
type Marks = { onTrial: ReadonlySet<string>; small: ReadonlySet<string> }

const batchStepOf = ({ batchId, state }: Pick<DueBatch, 'batchId' | 'state'>): string => `${batchId}/${state}`

const handOut = async <Tools>(
  tx: Sql,
  engine: Engine<Tools>,
  quotas: Quota[],
  { onTrial, small }: Marks,
  chunkSize: number,
  now: Date,
): Promise<number> => {
  if (!(await lockDispatch(tx))) return 0
  const due = await findDueLookups(tx, quotas, now)
  const chunks = await withTrials(tx, engine, makeChunks(due, chunkSize, small), onTrial, now)
  if (chunks.length === 0) return 0
  const hands = chunks.map((chunk) => ({ ...chunk, jobId: randomUUID() }))
  await claimLookups(tx, hands.map(claimOf), now)
  for (const [name, group] of Map.groupBy(hands, ({ lookups }) => jobFor(engine.jobs, lookups[0]!).name)) {
    const jobs = group.map(({ jobId, lookups, small }) => ({
      id: jobId,
      data: payloadOf(lookups, onTrial),
      priority: small ? 1 : 0,
    }))
    await engine.boss.insert(name, jobs, inTransaction(tx))
  }
  return hands.reduce((sum, { lookups }) => sum + lookups.length, 0)
}

const claimOf = ({ jobId, lookups }: Chunk & { jobId: string }): Claim => ({
  jobId,
  state: lookups[0]!.state,
  ids: lookups.map(({ id }) => id),
})

/** A held lane gets one look-up, and only from the worker that begins the trial. */
const withTrials = async <Tools>(
  tx: Sql,
  engine: Engine<Tools>,
  chunks: Chunk[],
  onTrial: ReadonlySet<string>,
  now: Date,
): Promise<Chunk[]> => {
  const free = chunks.filter(({ lookups }) => !onTrial.has(stepOf(lookups[0]!)))
  for (const [, held] of Map.groupBy(chunks, ({ lookups }) => stepOf(lookups[0]!))) {
    const lookup = held[0]!.lookups[0]!
    if (!onTrial.has(stepOf(lookup))) continue
    const begun = await beginTrial(tx, lookup, now, (cause, trials) => nextTrial(engine, cause, trials, now))
    if (begun) free.push({ lookups: [lookup], small: false })
  }
  return free
}

/** Holds for the plan or the budget stop what is still to be asked, and not the fetching of what was paid for. */
const stepOf = ({ organizationId, kind, state }: Pick<DueBatch, 'organizationId' | 'kind' | 'state'>): string =>
  `${organizationId}/${kind}/${state}`

const payloadOf = (lookups: Chunk['lookups'], onTrial: ReadonlySet<string>): ChunkPayload => {
  const { organizationId, kind, state } = lookups[0]!
  const trial = onTrial.has(stepOf(lookups[0]!))
  return { organizationId: Number(organizationId), kind, state, ids: lookups.map(({ id }) => String(id)), trial }
}

/** Look-ups that go to one job: one lane, one state, small files and suspects apart. */
type Chunk = { lookups: DueLookup[]; small: boolean }

/** Died three times alone in hand: once in a full job, once in a small one, then three times by itself. */
export const fatalDeaths = 5

export const makeChunks = (lookups: DueLookup[], size: number, small: ReadonlySet<string>): Chunk[] => {
  const isSmall = (lookup: DueLookup) => small.has(batchStepOf(lookup))
  const lanes = Map.groupBy(
    lookups,
    (l) => `${l.organizationId}/${l.kind}/${l.state}/${Math.min(l.workerDeaths, 2)}/${isSmall(l)}`,
  )
  return [...lanes.values()].flatMap((lane) => {
    const most = sizeAfterDeaths(lane[0]?.workerDeaths ?? 0, size)
    return Array.from({ length: Math.ceil(lane.length / most) }, (_, i) => ({
      lookups: lane.slice(i * most, (i + 1) * most),
      small: isSmall(lane[0]!),
    }))
  })
}

const sizeAfterDeaths = (workerDeaths: number, size: number): number =>
  workerDeaths === 0 ? size : workerDeaths === 1 ? Math.min(16, size) : 1
