import { fc, test as property } from '@fast-check/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lookupJobs } from '../../jobs/index.ts'
import type { Tools } from '../../jobs/tools.ts'
import { dispatchDue, fairShares, fatalDeaths, makeChunks, type Turns } from '../../src/engine/dispatch.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createLog } from '../../src/log/log.ts'
import { startBoss } from '../../src/queue/boss.ts'
import { createQueues } from '../../src/queue/start-jobs.ts'
import type { Database } from '../../src/store/connect.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import type { DueBatch, DueLookup, Quota } from '../../src/store/lookups/due-lookups.ts'
import { openDatabase } from '../support/database.ts'

const chunkSize = 100
const stack = new AsyncDisposableStack()
let sql: Database
let engine: Engine<Tools>

beforeAll(async () => {
  const database = stack.use(await openDatabase())
  sql = database.sql
  const boss = await startBoss(database.url, createLog({ level: 'silent' }))
  stack.defer(() => boss.stop({ graceful: false }))
  await createQueues(boss, lookupJobs, [])
  const log = createLog({ level: 'silent' })
  engine = { sql, boss, log, jobs: lookupJobs, clock: () => new Date() } as unknown as Engine<Tools>
})

afterAll(() => stack.disposeAsync())

/** A batch of `rows` rows, each of them due. */
const submit = async (rows: number, organization = 7): Promise<bigint> => {
  const [batch] = await sql<{ id: bigint }[]>`
    insert into vigia.batch (organization_id, kind, name, source, state, rows)
    values (${organization}, 'processes', 'people', 'cli', 'running', ${rows})
    returning id`
  await sql`
    insert into vigia.lookup (organization_id, kind, question, batch_id, due_at, deadline_at, state)
    select ${organization}, 'processes', ${batch!.id} || '-' || n, ${batch!.id}, now(), now() + interval '1 day', 'queued'
      from generate_series(1, ${rows}::int) as n`
  return batch!.id
}

/** The jobs that wait, in the order in which they will be taken. */
const waiting = () => sql<{ rows: number; priority: number }[]>`
  select jsonb_array_length(data -> 'ids') as rows, priority from pgboss.job
   where state < 'active' order by priority desc, created_on`

test('a file that fits into one job goes before those of a large one, until one of these has waited for seconds', async () => {
  await submit(1_000)
  await dispatchDue(engine, chunkSize, new Map())
  expect(await waiting()).toMatchObject([{ rows: 100 }, { rows: 100 }])
  expect(await dispatchDue(engine, chunkSize, new Map())).toBe(0)
  await submit(20)
  await dispatchDue(engine, chunkSize, new Map())
  expect(await waiting()).toMatchObject([
    { rows: 20, priority: 1 },
    { rows: 100, priority: 0 },
    { rows: 100, priority: 0 },
  ])

  await sql`delete from pgboss.job where priority = 1`
  await sql`update pgboss.job set created_on = now() - interval '6 s'`
  await submit(30)
  expect(await dispatchDue(engine, chunkSize, new Map())).toBe(0)
  await sql`delete from pgboss.job where id = (select id from pgboss.job limit 1)`
  await dispatchDue(engine, chunkSize, new Map())
  expect(await waiting()).toMatchObject([{ priority: 0 }, { rows: 80, priority: 0 }])
})

test('a held lane is tried whether or not its queue has capacity', async () => {
  await submit(1_000)
  while ((await dispatchDue(engine, chunkSize, new Map())) > 0);
  await submit(500, 8)
  const due = new Date(Date.now() - 1_000)
  const lane = { organizationId: 8, kind: 'processes' } as const
  await holdLane(sql, lane, { cause: 'outage', reason: ['text', 'away'], trialAt: due }, due)

  expect(await dispatchDue(engine, chunkSize, new Map())).toBe(1)
  expect(await dispatchDue(engine, chunkSize, new Map())).toBe(0)
})

test('a held lane is tried with a look-up that has not failed, of whatever batch, before one that has', async () => {
  const first = await submit(3, 9)
  await sql`update vigia.lookup set attempts = 1, due_at = now() - interval '1 minute' where batch_id = ${first}`
  const second = await submit(2, 9)
  const due = new Date(Date.now() - 1_000)
  const lane = { organizationId: 9, kind: 'processes' } as const
  await holdLane(sql, lane, { cause: 'outage', reason: ['text', 'away'], trialAt: due }, due)

  const triedBatch = async () => {
    await sql`update vigia.lane set trial_at = ${due} where organization_id = 9`
    expect(await dispatchDue(engine, chunkSize, new Map())).toBe(1)
    const [tried] = await sql<{ batchId: bigint }[]>`
      select l.batch_id from vigia.claim c join vigia.lookup l on l.id = any(c.ids)
       where l.organization_id = 9 order by c.claimed_at desc limit 1`
    return tried!.batchId
  }
  expect([await triedBatch(), await triedBatch(), await triedBatch()]).toEqual([second, second, first])
})

test('what passed its deadline before it was asked ends, and is not dispatched again and again', async () => {
  await sql`truncate vigia.batch, vigia.lookup, vigia.claim, pgboss.job cascade`
  const batch = await submit(3)
  await sql`update vigia.lookup set deadline_at = now() - interval '1 second' where batch_id = ${batch}`
  expect(await dispatchDue(engine, chunkSize, new Map())).toBe(0)
  const ended = await sql`select distinct state from vigia.lookup where batch_id = ${batch}`
  expect(ended).toEqual([{ state: 'timed_out' }])
})

const due = (batchId: number, change: Partial<DueBatch> = {}): DueBatch => ({
  batchId: BigInt(batchId),
  rows: 1_000,
  organizationId: 7n,
  kind: 'analysis',
  state: 'queued',
  trial: false,
  ...change,
})

const dues = (count: number): DueBatch[] => Array.from({ length: count }, (_, i) => due(i))

const group = (count: number) => () => ({ group: 'generate-analyses', size: count })

const takesOf = (quotas: Quota[]): number[] => quotas.map(({ take }) => take)

property.prop([fc.integer({ min: 1, max: 200 }), fc.nat(1_000)])(
  'all of the capacity is used, and no batch gets two more than another',
  (batches, count) => {
    const takes = takesOf(fairShares(dues(batches), group(count), new Map()))
    expect(takes.reduce((sum, take) => sum + take, 0)).toBe(count)
    const least = takes.length < batches ? 0 : Math.min(...takes)
    expect(Math.max(0, ...takes) - least).toBeLessThanOrEqual(1)
  },
)

test('fifty batches and a capacity of 64: every batch is served', () => {
  expect(fairShares(dues(50), group(64), new Map())).toHaveLength(50)
})

const longestWait = (passes: DueBatch[][], places: number): number => {
  const turns: Turns = new Map()
  const waits = new Map<string, number>()
  let longest = 0
  for (const pass of passes) {
    const served = new Set(fairShares(pass, group(places), turns).map(keyOf))
    const isDue = new Set(pass.map(keyOf))
    // What is due stays due until it is served: a batch that is not was paused or cancelled, and comes back anew.
    for (const key of waits.keys()) if (!isDue.has(key)) waits.delete(key)
    for (const key of isDue) {
      const wait = served.has(key) ? 0 : (waits.get(key) ?? 0) + 1
      waits.set(key, wait)
      longest = Math.max(longest, wait)
    }
  }
  return longest
}

const keyOf = ({ batchId, state }: Pick<DueBatch, 'batchId' | 'state'>): string => `${batchId}/${state}`

property.prop([fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 200 })])(
  'no batch that is due waits longer than one round',
  (batches, places, passes) => {
    const always = Array.from({ length: passes }, () => dues(batches))
    expect(longestWait(always, places)).toBeLessThan(Math.ceil(batches / places))
  },
)

const comingAndGoing = fc.array(fc.array(fc.nat(23), { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 60 })

property.prop([comingAndGoing, fc.integer({ min: 1, max: 30 })])(
  'nor if batches arrive and end between the passes, or a batch has look-ups in two states',
  (passes, places) => {
    const batches = passes.map((ids) =>
      [...new Set(ids)].map((id) => due(id >> 1, { state: id % 2 ? 'queued' : 'sending' })),
    )
    expect(longestWait(batches, places)).toBeLessThan(Math.ceil(24 / places))
  },
)

test('a held lane sends one trial, and takes no capacity from the others', () => {
  const quotas = fairShares([due(1, { trial: true }), due(2)], group(100), new Map())
  expect(takesOf(quotas)).toEqual([1, 100])
})

test('a full queue gets nothing more', () => {
  expect(fairShares([due(1)], group(0), new Map())).toEqual([])
})

const dueLookups = (count: number, change: Partial<DueLookup> = {}): DueLookup[] =>
  Array.from({ length: count }, (_, i) => ({
    id: BigInt(i),
    batchId: 1n,
    organizationId: 7n,
    kind: 'analysis',
    state: 'queued',
    workerDeaths: 0,
    isLate: false,
    ...change,
  }))

const sizes = (lookups: DueLookup[]) =>
  makeChunks(lookups, 100, new Set(['9/queued'])).map((chunk) => chunk.lookups.length)

test('a job carries look-ups of one lane and one state', () => {
  const mixed = [
    ...dueLookups(30),
    ...dueLookups(30, { organizationId: 8n }),
    ...dueLookups(30, { state: 'waiting' }),
    ...dueLookups(30, { kind: 'cnh' }),
  ]
  expect(sizes(mixed)).toEqual([30, 30, 30, 30])
})

test('look-ups of small files go to a job of their own', () => {
  const mixed = [...dueLookups(30), ...dueLookups(20, { batchId: 9n }), ...dueLookups(30, { batchId: 2n })]
  expect(sizes(mixed)).toEqual([60, 20])
})

test('a job is no longer than its size', () => {
  expect(sizes(dueLookups(250))).toEqual([100, 100, 50])
})

test('suspects of a worker’s death return in smaller jobs, and are quarantined after three deaths while alone in one', () => {
  expect(sizes(dueLookups(40, { workerDeaths: 1 }))).toEqual([16, 16, 8])
  const first = Array.from({ length: fatalDeaths }, (_, workerDeaths) => sizes(dueLookups(40, { workerDeaths }))[0])
  expect(first).toEqual([40, 16, 1, 1, 1])
})
