import { afterAll, beforeAll, expect, test } from 'vitest'
import { lookupJobs } from '../../jobs/index.ts'
import type { Tools } from '../../jobs/tools.ts'
import { dispatchDue } from '../../src/engine/dispatch.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createLog } from '../../src/log/log.ts'
import { startBoss } from '../../src/queue/boss.ts'
import { createQueues } from '../../src/queue/start-jobs.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { createDatabase } from '../support/database.ts'

const chunkSize = 100
const stack = new AsyncDisposableStack()
let sql: Database
let engine: Engine<Tools>

beforeAll(async () => {
  const database = await createDatabase()
  stack.defer(() => database.drop())
  sql = connect(database.url)
  stack.defer(() => sql.end())
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
  await holdLane(
    sql,
    { organizationId: 8, kind: 'processes' },
    { cause: 'outage', reason: ['text', 'away'], trialAt: due },
    due,
  )

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
      select l.batch_id as "batchId" from vigia.claim c join vigia.lookup l on l.id = any(c.ids)
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
