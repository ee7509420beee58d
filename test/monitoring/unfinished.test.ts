import { expect, test } from 'vitest'
import { insertSweep, readSweep } from '../../src/store/radars/sweeps.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { sweepByQueue } from './sweep.ts'

test('look-ups whose job is gone go on', async () => {
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

test('a batch whose rows have all ended but that nobody finished is finished and reported', async () => {
  await using t = await setup()
  const batchId = await t.submit(csvOf(cpfs(3)))
  await t.finished(batchId)
  await t.sql`update vigia.batch set finished_at = null, exported_at = null, state = 'running' where id = ${batchId}`
  await t.sql`delete from vigia.batch_count where batch_id = ${batchId}`

  expect((await sweepByQueue(t, 'unfinished')).detail).toMatchObject({ batchesDone: 1 })
  expect(await t.finished(batchId)).toMatchObject({ state: 'done' })
})

test('a sweep whose job was lost is woken, and one that runs for a day is given up', async () => {
  await using t = await setup({ config: { radarSweep: { refresh: 'processes', analysisEvery: null } } })
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  const lost = await insertSweep(t.sql, { name: 'usage', slot: 'lost', trigger: 'schedule', now: yesterday })
  const woken = await insertSweep(t.sql, { name: 'radars', slot: 'woken', trigger: 'schedule', now: new Date() })

  await sweepByQueue(t, 'unfinished')

  expect(await readSweep(t.sql, lost!)).toMatchObject({ state: 'failed' })
  await until(async () => (await readSweep(t.sql, woken!))?.state === 'done')
})

test('a sweep that found nothing to do says so only to whoever looks closely', async () => {
  await using t = await setup()
  const ends = () => t.logged.filter((line) => line.includes('sweep ends')).map((line) => JSON.parse(line))
  await sweepByQueue(t, 'unfinished')
  expect(ends()).toEqual([])

  const batchId = await t.submit(csvOf(cpfs(1)))
  await t.finished(batchId)
  await t.sql`update vigia.batch set finished_at = null, exported_at = null, state = 'running' where id = ${batchId}`
  await t.sql`delete from vigia.batch_count where batch_id = ${batchId}`
  await sweepByQueue(t, 'unfinished')
  await until(async () => ends().length > 0)
  expect(ends()).toMatchObject([{ level: 30, sweep: 'unfinished', batchesDone: 1 }])
})
