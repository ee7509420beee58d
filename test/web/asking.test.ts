import { expect, test } from 'vitest'
import { insertBatch } from '../../src/store/batches/batches.ts'
import { readSweep } from '../../src/store/radars/sweeps.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { sharedWeb } from './setup.ts'

const t = await sharedWeb()
const token = await t.operator('ops')

const watch = async (documents: string[]): Promise<void> => {
  for (const code of documents) {
    await t.tools.registry.radars.add({ type: 'CPF', code, name: 'Cliente' }, t.sandbox.account)
  }
}

/** Runs the sweep from the page, to its end. */
const sweepRadars = async (): Promise<void> => {
  const run = await t.post('/system/sweeps/radars/run', token)
  const sweep = BigInt(/sweep=(\d+)/.exec(run.headers.get('location')!)![1]!)
  await until(async () => (await readSweep(t.sql, sweep))?.finishedAt)
}

const chargesFor = (documents: string[]): number =>
  documents.reduce((sum, document) => sum + t.sandbox.charges(document), 0)

test('"Run now" shows first how many analyses it would buy, and afterwards how many it bought', async () => {
  await watch(cpfs(4))
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
  expect(chargesFor(cpfs(4))).toBe(0)

  await sweepRadars()
  expect(chargesFor(cpfs(4))).toBe(4)
  expect(await t.page('/system', token)).toContain('<small>analyses bought: 4</small>')
  expect((await t.json('/api/sweeps', token)).sweeps[0]).toMatchObject({ name: 'radars', bought: 4 })
  expect(await t.page('/system/sweeps/radars/run', token)).toContain('It costs nothing.')
})

test('a sweep would buy what is in a batch that needs approval, but not what was bought and is not answered yet', async () => {
  await watch(cpfs(5, 10))
  const bought = await t.done(csvOf(cpfs(2, 10)))
  await t.sql`update vigia.lookup set state = 'timed_out' where batch_id = ${bought} and question = ${cpf(11)}`
  await t.unconfirmed(csvOf(cpfs(2, 12)), { confirmAbove: 1 })
  expect(await t.json('/api/sweeps/radars', token)).toMatchObject({ analysesToBuy: 3 })
  await sweepRadars()
  expect(chargesFor(cpfs(5, 10))).toBe(2 + 3)
})

test('if the registry does not answer, the page says that the cost of a sweep is not known', async () => {
  t.sandbox.setScenario({ outage: { how: 'closed' } })
  expect(await t.page('/system/sweeps/radars/run', token)).toContain('the cost is not known')
  t.sandbox.setScenario({ outage: null })
})

test('a retry of many batches skips one that was cancelled while it was imported', async () => {
  const failed = await t.done(csvOf(cpfs(2, 20)))
  await t.sql`update vigia.lookup set state = 'failed', remote_id = null where question = ${cpf(21)}`
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
