import { expect, test } from 'vitest'
import { repairStalled } from '../../jobs/find-unfinished.ts'
import { readStatus } from '../../src/batches/batch-or-refuse.ts'
import {
  cancelBatch,
  confirmBatch,
  pauseBatch,
  resumeBatch,
  type Steering,
} from '../../src/batches/pause-resume-cancel.ts'
import type { Submission } from '../../src/batches/submit.ts'
import { setPaused } from '../../src/store/batches/batch-actions.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { countsOf } from '../../src/store/batches/counts.ts'
import { setupGround } from '../batches/ground.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
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

test('a paused batch asks nothing beyond its claimed look-ups, and resumes where it was', async () => {
  await using t = await setup(slow)
  const id = await t.submit(csvOf(cpfs(400)))
  await someBought(t)

  await pauseBatch(t.sql, id, steering(t))
  await until(
    async () => (await t.sql`select job_id from vigia.claim union all select null from vigia.intent`).length === 0,
  )
  const bought = t.sandbox.charges()
  await until(async () => (await t.sql`select id from vigia.lookup where state = 'waiting'`).length === 0)
  expect(t.sandbox.charges()).toBe(bought)
  expect(bought).toBeLessThan(400)

  await resumeBatch(t.sql, id, steering(t))
  await t.finished(id)
  expect(t.sandbox.charges()).toBe(400)
})

test('a cancelled batch loses nothing that was paid for, and every row comes back', async () => {
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

test('a batch above confirmAbove needs approval, and meanwhile blocks no batch that shares its documents', async () => {
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

test('a file of twenty rows overtakes one of thousands', async () => {
  await using t = await setup({ ...slow, sandbox: { scenario: { latency: { generate: 5 } } } })
  const large = await t.submit(csvOf(cpfs(3_000)))
  await someBought(t)
  await t.finished(await t.submit(csvOf(cpfs(20, 100_000))))

  expect((await readBatch(t.sql, large))?.finishedAt).toBeNull()
})

test('a batch cancelled during its import comes back complete, and nothing of it is bought', async () => {
  await using t = await setup()
  const id = await t.submit(csvOf([...cpfs(20_000), 'junk']))
  await cancelBatch(t.sql, id, steering(t))
  const batch = await t.finished(id)

  expect(batch).toMatchObject({ state: 'cancelled', rows: 20_001, rejected: 1 })
  expect(await countsOf(t.sql, id)).toEqual({ cancelled: 20_000, rejected: 1 })
  expect(t.sandbox.charges()).toBe(0)
})

/** The same documents in other bytes. */
const sameAs = (documents: string[]): string => `cpf\n${documents.join('\n')}\n`

const importedBeside = async (t: Setup, documents: string[], more: Partial<Submission> = {}): Promise<bigint> => {
  const id = await t.submit(sameAs(documents), more)
  await until(async () => (await readBatch(t.sql, id))?.importedAt)
  return id
}

test('of two paused batches that share documents, either can be resumed alone', async () => {
  await using t = await setup(slow)
  const first = await t.submit(csvOf(cpfs(100)))
  await someBought(t)
  const second = await importedBeside(t, cpfs(100))
  await pauseBatch(t.sql, first, steering(t))
  await pauseBatch(t.sql, second, steering(t))

  await resumeBatch(t.sql, first, steering(t))
  await t.finished(first)

  expect(await statesOf(t.sql, first)).toEqual({ ok: 100 })
  expect(t.sandbox.charges()).toBe(100)
})

test('an approved batch does not wait for a paused one, and needs approval again before it pays for that one too', async () => {
  await using t = await setup(slow)
  const paused = await t.submit(csvOf(cpfs(100)))
  await someBought(t)
  const careful = await importedBeside(t, cpfs(150), { confirmAbove: 5 })
  await pauseBatch(t.sql, paused, steering(t))
  const before = (await readBatch(t.sql, careful))!.toBePaid

  await confirmBatch(t.sql, careful, steering(t))
  const inherited = (await readBatch(t.sql, careful))!
  expect(inherited).toMatchObject({ state: 'unconfirmed', spent: 0 })
  expect(inherited.toBePaid).toBeGreaterThan(before)
  await confirmBatch(t.sql, careful, steering(t))
  await t.finished(careful)

  expect(await statesOf(t.sql, careful)).toEqual({ ok: 150 })
  expect(t.sandbox.charges()).toBe(150)
})

test('what one batch may not pay for is paid for by another that wants it', async () => {
  await using t = await setup(slow)
  const poor = await t.submit(csvOf(cpfs(100)), { maxSpend: 20 })
  await someBought(t)
  const rich = await importedBeside(t, cpfs(100))
  await Promise.all([t.finished(poor), t.finished(rich)])

  expect(await statesOf(t.sql, rich)).toEqual({ ok: 100 })
  expect((await readBatch(t.sql, poor))?.spent).toBeLessThanOrEqual(20)
  expect(t.sandbox.charges()).toBe(100)
})

test('a batch that would take over more than it may spend without approval needs approval', async () => {
  await using t = await setup(slow)
  const first = await t.submit(csvOf(cpfs(100)))
  await someBought(t)
  const careful = await importedBeside(t, cpfs(100), { confirmAbove: 5 })
  expect((await readBatch(t.sql, careful))?.state).toBe('running')

  await cancelBatch(t.sql, first, steering(t))

  expect(await readBatch(t.sql, careful)).toMatchObject({ state: 'unconfirmed', spent: 0 })
  await confirmBatch(t.sql, careful, steering(t))
  const done = await t.finished(careful)
  expect(done).toMatchObject({ state: 'done', toBePaid: done.spent })
  expect(await statesOf(t.sql, careful)).toEqual({ ok: 100 })
})

test('an approval of no cost covers nothing that is taken over later', async () => {
  await using t = await setup(slow)
  const first = await t.submit(csvOf(cpfs(100)))
  await someBought(t)
  const free = await importedBeside(t, cpfs(100), { confirmAbove: -1 })
  expect(await readBatch(t.sql, free)).toMatchObject({ state: 'unconfirmed', toBePaid: 0 })
  await confirmBatch(t.sql, free, steering(t))

  await cancelBatch(t.sql, first, steering(t))

  expect(await readBatch(t.sql, free)).toMatchObject({ state: 'unconfirmed', spent: 0 })
  await confirmBatch(t.sql, free, steering(t))
  await t.finished(free)
  expect(await statesOf(t.sql, free)).toEqual({ ok: 100 })
  expect(t.sandbox.charges()).toBe(100)
})

test('a paused batch can be cancelled, and then not be resumed', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 3_600_000 } })
  const id = await t.submit(csvOf(cpfs(10)))
  await until(async () => t.sandbox.charges() === 10)
  await pauseBatch(t.sql, id, steering(t))
  await cancelBatch(t.sql, id, steering(t))

  expect((await readStatus(t.sql, id, new Date())).state).toBe('cancelled')
  await expect(resumeBatch(t.sql, id, steering(t))).rejects.toThrow('is not paused')
})

test('an interrupted cancellation is completed', async () => {
  await using t = await setup(slow)
  const first = await t.submit(csvOf(cpfs(200)))
  await someBought(t)
  const second = await importedBeside(t, cpfs(200).slice(150))
  const cutOff = { ...steering(t), finished: () => Promise.reject(new Error('killed')) }
  await expect(cancelBatch(t.sql, first, cutOff)).rejects.toThrow('killed')

  await repairStalled(t.tools, 0n)
  await Promise.all([t.finished(first), t.finished(second)])

  const { ok = 0, cancelled = 0 } = await statesOf(t.sql, first)
  expect(ok + cancelled).toBe(200)
  expect(await statesOf(t.sql, second)).toEqual({ ok: 50 })
})

test('a pause that was interrupted before the transfer blocks no other batch for good', async () => {
  await using t = await setup(slow)
  const first = await t.submit(csvOf(cpfs(100)))
  await someBought(t)
  const second = await importedBeside(t, cpfs(100))
  await setPaused(t.sql, first, new Date())

  await repairStalled(t.tools, 0n)
  await t.finished(second)

  expect(await statesOf(t.sql, second)).toEqual({ ok: 100 })
  expect(t.sandbox.charges()).toBe(100)
})

test('queued look-ups of a batch cancelled during its import are transferred to one that wants them, except calls under way', async () => {
  await using t = await setupGround()
  const [, onItsWay] = cpfs(3)
  const first = await t.imported(csvOf(cpfs(3)))
  const second = await t.imported(sameAs(cpfs(3)))
  await t.sql`update vigia.batch set state = 'cancelled', imported_at = null where id = ${first.id}`
  await t.sql`
    insert into vigia.intent_group (lookup_ids, sent_at, judged_at)
    select array_agg(id), now(), now() from vigia.lookup where question = ${onItsWay!}`

  expect((await repairStalled(t.tools, 0n)).detail).toMatchObject({ lookupsTransferred: 2 })
  const owners = await t.sql<{ batch: bigint }[]>`select batch_id as batch from vigia.lookup order by id`
  expect(owners.map(({ batch }) => batch)).toEqual([second.id, first.id, second.id])
  expect((await repairStalled(t.tools, 0n)).detail).toMatchObject({ lookupsTransferred: 0 })
})
