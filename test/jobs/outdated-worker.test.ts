import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

test('beside a database with a higher protocol a worker fetches what it bought, and buys nothing', async () => {
  await using t = await setup()
  const [before, after] = [cpfs(5).slice(0, 3), cpfs(5).slice(3)]
  const bought = await t.submit(csvOf(before))
  await until(async () => t.sandbox.charges() === 3)
  await t.sql`select vigia.raise_protocol(2)`
  await t.finished(bought)
  expect(await statesOf(t.sql, bought)).toEqual({ ok: 3 })

  const refused = await t.submit(csvOf(after))
  await until(async () => t.logged.some((line) => line.includes('A newer version of Vigia')))
  expect(t.sandbox.charges()).toBe(3)
  expect(await statesOf(t.sql, refused)).toEqual({ queued: 2 })

  // As a worker of the newer version would.
  await t.sql`update vigia.fleet set protocol = 1`
  await t.finished(refused)
  expect(t.sandbox.charges()).toBe(5)
})
