import { expect, test } from 'vitest'
import { readStatus } from '../../src/batches/batch-or-refuse.ts'
import { expectedSeconds } from '../../src/batches/quote.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const patient = { polling: { first: '500ms', max: '1s', deadline: '1h' }, concurrency: { worker: 4, fleet: 4 } }

test.each([
  ['slow to take an order', { latency: { generate: 200 } }, 0],
  ['slow to answer', { latency: { generate: 40, consult: 40 } }, 3_000],
])('the estimate of a lane that is %s holds within a factor of two', async (_, scenario, readyAfterMs) => {
  await using t = await setup({ sandbox: { readyAfterMs, scenario }, config: patient })
  await t.finished(await t.submit(csvOf(cpfs(40))))

  const { organizationId } = t.sandbox.account
  const work = { organizationId, kind: 'analysis' as const, bound: 4, firstLookMs: 500 }
  const expected = await expectedSeconds(t.sql, { ...work, lookups: 120 })
  const { startedAt, finishedAt } = await t.finished(await t.submit(csvOf(cpfs(120, 1_000))))
  const took = (finishedAt!.getTime() - startedAt!.getTime()) / 1_000
  expect(expected).toBeGreaterThan(took / 2)
  expect(expected).toBeLessThan(took * 2)

  const part = await expectedSeconds(t.sql, { ...work, lookups: 12 })
  expect(part).toBeLessThan(expected)
  expect(await expectedSeconds(t.sql, { ...work, lookups: 0 })).toBe(0)
})

test('a batch that needs approval has no pace, however many of its rows are answered', async () => {
  await using t = await setup()
  await t.finished(await t.submit(csvOf(cpfs(5))))
  const id = await t.submit(`cpf\n${cpfs(20).join('\n')}\n`, { confirmAbove: 5 })
  const status = await until(async () => {
    const found = await readStatus(t.sql, id, new Date())
    return found.state === 'unconfirmed' && found
  })
  expect(status).toMatchObject({ done: 5, ratePerSecond: null, etaSeconds: null })
})
