import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

test('no more calls have an unknown outcome than twice as many as may be open, however long their answers cannot be written', async () => {
  const config = { concurrency: { worker: 4, fleet: 4 }, request: { timeout: '30s', retries: 0 } }
  // What waits for the lock keeps its connection: of four none may be left for the heartbeats.
  const env = { DATABASE_POOL: '16' }
  await using t = await setup({ config, env, sandbox: { scenario: { latency: { all: 200 } } } })
  const generated = () => t.sandbox.ledger.counts.generate
  const heartbeats = async () =>
    Number((await t.sql<{ sequence: bigint }[]>`select sequence from vigia.fleet`)[0]!.sequence)
  const id = await t.submit(csvOf(cpfs(40)))
  await until(async () => generated() > 0)
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = t.sql.begin(async (tx) => {
    await tx`lock table vigia.lookup in share row exclusive mode`
    locked.resolve()
    await release.promise
  })
  await using _released = {
    [Symbol.asyncDispose]() {
      release.resolve()
      return holder
    },
  }
  await locked.promise
  await until(async () => generated() >= 8)
  const seen = await heartbeats()
  await until(async () => (await heartbeats()) > seen + 3)

  expect(await t.sql`select lookup_id from vigia.intent`).toHaveLength(8)
  expect(generated()).toBe(8)
  release.resolve()
  expect(await statesOf(t.sql, (await t.finished(id)).id)).toEqual({ ok: 40 })
  expect(t.sandbox.charges()).toBe(40)
})
