import { expect, test } from 'vitest'
import { insertBatch, readBatch } from '../../src/store/batches/batches.ts'
import { readSweep } from '../../src/store/radars/sweeps.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupWeb, type WebSetup } from './setup.ts'

const watch = async (t: WebSetup, documents: string[]): Promise<void> => {
  for (const code of documents) {
    await t.tools.registry.radars.add({ type: 'CPF', code, name: 'Cliente' }, t.sandbox.account)
  }
}

test('"Run now" shows first how many analyses it would buy, and afterwards how many it bought', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  await watch(t, cpfs(4))
  expect(await t.page('/system', token)).toContain('href="/system/sweeps/radars/run"')
  const asks = await t.page('/system/sweeps/radars/run', token)
  expect(asks).toContain('It buys up to 4 analyses.')
  expect(await t.page('/system/sweeps/radars/run', token, 'pt-BR')).toContain('Compra até 4 análises.')
  expect(await t.page('/system/sweeps/usage/run', token)).toContain('It costs nothing.')
  expect(await t.json('/api/sweeps/radars', token)).toEqual({
    name: 'radars',
    analysesToBuy: 4,
    price: null,
  })
  expect(t.sandbox.charges()).toBe(0)

  const run = await t.post('/system/sweeps/radars/run', token)
  const sweep = BigInt(/sweep=(\d+)/.exec(run.headers.get('location')!)![1]!)
  await until(async () => (await readSweep(t.sql, sweep))?.finishedAt)
  expect(t.sandbox.charges()).toBe(4)
  expect(await t.page('/system', token)).toContain('<small>analyses bought: 4</small>')
  expect((await t.json('/api/sweeps', token)).sweeps[0]).toMatchObject({ name: 'radars', bought: 4 })
  expect(await t.page('/system/sweeps/radars/run', token)).toContain('It costs nothing.')
})

test('a sweep would buy what is in a batch that needs approval, but not what was bought and is not answered yet', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  await watch(t, cpfs(5))
  const bought = await t.done(csvOf(cpfs(2)))
  await t.sql`update vigia.lookup set state = 'timed_out' where batch_id = ${bought} and question = ${cpf(1)}`
  const waits = await t.submit(csvOf([cpf(2), cpf(3)]), { confirmAbove: 1 })
  await until(async () => (await readBatch(t.sql, waits))?.state === 'unconfirmed')
  expect(await t.json('/api/sweeps/radars', token)).toMatchObject({ analysesToBuy: 3 })
  const run = await t.post('/system/sweeps/radars/run', token)
  const sweep = BigInt(/sweep=(\d+)/.exec(run.headers.get('location')!)![1]!)
  await until(async () => (await readSweep(t.sql, sweep))?.finishedAt)
  expect(t.sandbox.charges()).toBe(2 + 3)
})

test('if the registry does not answer, the page says that the cost of a sweep is not known', async () => {
  await using t = await setupWeb({ config: { request: { timeout: '300ms', retries: 0 } } })
  t.sandbox.setScenario({ outage: { how: 'closed' } })
  const token = await t.operator('ops')
  expect(await t.page('/system/sweeps/radars/run', token)).toContain('the cost is not known')
})

test('a retry of many batches skips one that was cancelled while it was imported', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const failed = await t.done(csvOf(cpfs(2)))
  await t.sql`update vigia.lookup set state = 'failed', remote_id = null where question = ${cpf(1)}`
  const unimported = await insertBatch(t.sql, {
    organizationId: t.sandbox.account.organizationId,
    kind: 'analysis',
    source: 'cli',
    submittedBy: 'test',
    name: 'half',
    fileName: null,
    fileId: null,
    maxSpend: null,
    confirmAbove: null,
    encoding: 'utf8',
    spreadsheets: false,
    state: 'cancelled',
  })
  const asks = await t.page('/batches/all/retry', token)
  expect(asks).toContain(`href="/batches/${failed}"`)
  expect(asks).not.toContain(`href="/batches/${unimported}"`)
})
