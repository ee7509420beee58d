import { expect, test } from 'vitest'
import { datingOfOwn } from '../../src/store/purchases/purchases.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'

const timeoutMs = 2_000
const config = { request: { timeout: '2s', retries: 0 }, purchases: { maxAge: '1ms' } }

/** The dating computed from nine purchases of ours, under such clocks, once the list has shown them. */
const datingUnder = async (dates: { clockMs?: number; apartMs?: number }) => {
  await using t = await setup({ config, sandbox: { scenario: { world: { dates } } } })
  await t.finished(await t.submit(csvOf(cpfs(9))))
  await t.finished(await t.submit(csvOf(cpfs(1, 100))))
  return datingOfOwn(t.sql, { organizationId: t.sandbox.account.organizationId, kind: 'analysis' }, timeoutMs)
}

test('measures how far the registry dates its sales from our calls, whatever its clock shows', async () => {
  const dating = await datingUnder({ clockMs: -10_800_000 })
  expect(dating?.from).toBeLessThan(-10_800_000)
  expect(dating?.to).toBeGreaterThan(-10_800_000)
  expect(dating!.to - dating!.from).toBeLessThanOrEqual(3 * timeoutMs)
})

test('measures nothing if several clocks date them', async () => {
  expect(await datingUnder({ apartMs: 60_000 })).toBeNull()
})
