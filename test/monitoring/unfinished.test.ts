import { expect, test } from 'vitest'
import { repairStalled } from '../../jobs/find-unfinished.ts'
import { closeSweepBatches } from '../../src/monitoring/finish-radar-sweep.ts'
import { takeRadarSweepFurther } from '../../src/monitoring/radar-sweep.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { finishSweep, insertSweep, readSweep } from '../../src/store/radars/sweeps.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { beginRadars, sweepByQueue } from './sweep.ts'

test('look-ups whose job was lost continue', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 600_000 } })
  const batchId = await t.submit(csvOf(cpfs(3)))
  await until(async () => (await t.sql`select from vigia.lookup where state = 'waiting'`).length === 3)
  await t.sql`
    insert into vigia.claim (job_id, state, claimed_at, ids)
    select gen_random_uuid(), state, now(), array_agg(id) from vigia.lookup where batch_id = ${batchId} group by state`
  t.sandbox.setScenario({ readyAfterMs: 0 })

  const sweep = await sweepByQueue(t, 'unfinished')

  expect(sweep.detail).toMatchObject({ lookupsWithoutJob: 3 })
  expect(await t.finished(batchId)).toMatchObject({ state: 'done', spent: 3 })
})

test('a batch whose rows have all ended is finished and reported, even if nobody did; only then does a sweep log more than for debugging', async () => {
  await using t = await setup()
  const ends = () => t.logged.filter((line) => line.includes('sweep ends')).map((line) => JSON.parse(line))
  await sweepByQueue(t, 'unfinished')
  expect(ends()).toEqual([])

  const batchId = await t.submit(csvOf(cpfs(3)))
  await t.finished(batchId)
  await t.sql`update vigia.batch set finished_at = null, exported_at = null, state = 'running' where id = ${batchId}`
  await t.sql`delete from vigia.batch_count where batch_id = ${batchId}`

  expect((await sweepByQueue(t, 'unfinished')).detail).toMatchObject({ batchesDone: 1 })
  expect(await t.finished(batchId)).toMatchObject({ state: 'done' })
  await until(async () => ends().length > 0)
  expect(ends()).toMatchObject([{ level: 30, sweep: 'unfinished', batchesDone: 1 }])
})

test('a repair that fails does not prevent the others', async () => {
  await using t = await setup()
  const stuck = await t.submit(csvOf(cpfs(2)))
  const owed = await t.submit(csvOf(cpfs(2, 100)))
  for (const id of [stuck, owed]) await t.finished(id)
  await t.sql`update vigia.batch set finished_at = null, exported_at = null, state = 'running' where id = ${stuck}`
  await t.sql`delete from vigia.batch_count where batch_id = ${stuck}`
  await t.sql`update vigia.batch set finished_at = date_trunc('second', now()) - interval '1 hour', exported_at = null where id = ${owed}`
  await t.sql`create function public.refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`
  await t.sql`
    create trigger refuse before update on vigia.batch for each row when (old.state = 'running') execute function public.refuse()`

  await expect(repairStalled(t.tools, 0n)).rejects.toThrow('no')
  expect(await t.finished(owed)).toMatchObject({ id: owed })
  expect(t.logged.join('')).toContain('could not repair stalled work')
})

test('a sweep whose job was lost is woken, and one that runs for a day fails', async () => {
  await using t = await setup({ config: { radarSweep: { refresh: 'processes', analysisEvery: null } } })
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  const lost = await insertSweep(t.sql, { name: 'usage', slot: 'lost', trigger: 'schedule', now: yesterday })
  const woken = await insertSweep(t.sql, { name: 'radars', slot: 'woken', trigger: 'schedule', now: new Date() })

  await sweepByQueue(t, 'unfinished')

  expect(await readSweep(t.sql, lost!)).toMatchObject({ state: 'failed' })
  await until(async () => (await readSweep(t.sql, woken!))?.state === 'done')
})

test('a look-up that a file shares while its sweep is closed is still asked', async () => {
  await using t = await setup()
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
  await holdLane(t.sql, lane, { cause: 'plan', reason: ['text', 'for a while'], trialAt: null }, new Date())
  t.sandbox.plantRadar({ code: cpf(0) })
  const sweepId = await beginRadars(t)
  const queued = () => t.sql<{ id: bigint }[]>`select id from vigia.lookup where kind = 'analysis' and state = 'queued'`
  await until(async () => {
    await takeRadarSweepFurther(t.tools, sweepId)
    return (await queued()).length === 1
  })
  await finishSweep(t.sql, sweepId, { state: 'failed', now: new Date(), detail: {} })
  const [lookup] = await queued()
  const closing = Promise.withResolvers<unknown>()
  await t.sql.begin(async (tx) => {
    // The lock that an import takes.
    await tx`select id from vigia.lookup where id = ${lookup!.id} for share`
    await tx`insert into vigia.batch_row (batch_id, line, start_at, size, lookup_id) values (77, 2, 0, 0, ${lookup!.id})`
    closing.resolve(closeSweepBatches(t.sql, new Date()))
    const isWaiting = () => t.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => (await isWaiting()).length > 0)
  })
  await closing.promise

  expect(await queued()).toEqual([lookup])
})
