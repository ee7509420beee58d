import { expect, test } from 'vitest'
import { cancelBatch, confirmBatch, pauseBatch, resumeBatch, type Steering } from '../../src/batches/steer.ts'
import { readBatch } from '../../src/store/batches.ts'
import { countsOf } from '../../src/store/counts.ts'
import { statesOf } from '../support/books.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const steering = (t: Setup): Steering => ({
  by: 'test',
  now: new Date(),
  deadlineMs: 3_600_000,
  finished: t.running.engine.finished,
})

const slow = { sandbox: { scenario: { latency: { generate: 20 } } }, config: { concurrency: { worker: 4, fleet: 4 } } }

const someBought = (t: Setup) => until(async () => t.sandbox.charges() > 5)

test('a paused batch asks nothing new within two seconds, and goes on where it was', async () => {
  await using t = await setup(slow)
  const id = await t.submit(csvOf(cpfs(400)))
  await someBought(t)

  await pauseBatch(t.sql, id, steering(t))
  await until(
    async () => (await t.sql`select id from lookup where state = 'sending' or job_id is not null`).length === 0,
    2_000,
  )
  const bought = t.sandbox.charges()
  await until(async () => (await t.sql`select id from lookup where state = 'waiting'`).length === 0)
  expect(t.sandbox.charges()).toBe(bought)
  expect(bought).toBeLessThan(400)

  await resumeBatch(t.sql, id, steering(t))
  await t.finished(id)
  expect(t.sandbox.charges()).toBe(400)
})

test('a cancelled batch throws away nothing that was paid, and every row comes back', async () => {
  await using t = await setup(slow)
  const id = await t.submit(csvOf([...cpfs(400), 'junk']))
  await someBought(t)

  await cancelBatch(t.sql, id, steering(t))
  const batch = await t.finished(id)

  const states = await statesOf(t.sql, id)
  expect(batch.state).toBe('cancelled')
  expect(states.ok).toBe(t.sandbox.charges())
  expect(states.ok! + states.cancelled! + states.rejected!).toBe(401)
  expect(await countsOf(t.sql, id)).toEqual(states)
})

test('a batch above the limit for asking first waits for a word, and meanwhile blocks nobody who shares its documents', async () => {
  await using t = await setup()
  const careful = await t.submit(csvOf(cpfs(20)), { confirmAbove: 5 })
  await until(async () => (await readBatch(t.sql, careful))?.state === 'unconfirmed')
  expect(t.sandbox.charges()).toBe(0)

  const other = await t.finished(await t.submit(`cpf\n${cpfs(10).join('\n')}\n`))
  expect(await statesOf(t.sql, other.id)).toEqual({ ok: 10 })

  await confirmBatch(t.sql, careful, steering(t))
  await t.finished(careful)
  expect(await statesOf(t.sql, careful)).toEqual({ ok: 20 })
  expect(t.sandbox.charges()).toBe(20)
})

test('a file of twenty rows passes one of thousands', async () => {
  await using t = await setup({ ...slow, sandbox: { scenario: { latency: { generate: 5 } } } })
  const large = await t.submit(csvOf(cpfs(3_000)))
  await someBought(t)
  await t.finished(await t.submit(csvOf(cpfs(20, 100_000))))

  expect((await readBatch(t.sql, large))?.finishedAt).toBeNull()
})

test('a batch cancelled while it is imported comes back whole, and nothing of it is bought', async () => {
  await using t = await setup()
  const id = await t.submit(csvOf([...cpfs(20_000), 'junk']))
  await cancelBatch(t.sql, id, steering(t))
  const batch = await t.finished(id)

  expect(batch).toMatchObject({ state: 'cancelled', rows: 20_001, rejected: 1 })
  expect(await countsOf(t.sql, id)).toEqual({ cancelled: 20_000, rejected: 1 })
  expect(t.sandbox.charges()).toBe(0)
})
