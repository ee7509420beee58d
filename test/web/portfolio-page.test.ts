import { expect, test } from 'vitest'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { pauseRuns, syncPortfolio } from '../../src/portfolios/keep-portfolio.ts'
import { ringPortfolios } from '../../src/schedule/start-schedules.ts'
import { deleteSweeps } from '../../src/store/people/purge.ts'
import { listSweeps } from '../../src/store/radars/sweeps.ts'
import { addList, ageByMonth, ring, run } from '../portfolios/runs.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupWeb } from './setup.ts'

test('a portfolio that is paused while it runs says so on its page, and is resumed there', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const { clock, log } = t.tools
  const who = { by: 'test', now: clock() }
  await addList(t, 'Clients', cpfs(2))
  await ringPortfolios({ sql: t.sql, clock, log, enqueue: async () => {} })
  await pauseRuns(t.sql, 'clients', who)

  const read = async () => (await t.call('/portfolios/Clients', { token, headers: { 'accept-language': 'en' } })).text()
  expect(await read()).toContain('running, then paused')
  expect((await t.call('/portfolios/Clients/resume', { token, method: 'POST' })).status).toBe(303)
  expect(await read()).not.toContain('then paused')
})

const comparedWithNothing = 'The first run is compared with nothing'

test('the first run is the first that came to its end, for its differences and on the page alike', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  await addList(t, 'Clients', [cpf(9)])
  await eraseDocument(t.tools, cpf(9), 'test')
  expect(await ring(t)).toBe(1)
  await until(async () => (await listSweeps(t.sql, { limit: 1 }))[0]?.state === 'failed')
  const open = async function* () {
    yield Buffer.from(csvOf(cpfs(2)))
  }
  await syncPortfolio(t.sql, { name: 'clients', open }, { by: 'test', now: t.tools.clock() })
  await ageByMonth(t)
  await run(t)

  const { lastRuns } = await (await t.call('/api/portfolios/clients', { token })).json()
  expect(lastRuns).toMatchObject([
    { state: 'done', first: true, differences: {} },
    { state: 'failed', first: null },
  ])
  expect(await t.sql`select from vigia.change`).toHaveLength(0)
  const page = await t.call('/portfolios/Clients', { token, headers: { 'accept-language': 'en' } })
  expect(await page.text()).toContain(comparedWithNothing)
})

test('a run is not called the first because the one before it is no longer kept', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  await addList(t, 'Clients', cpfs(2))
  await run(t)
  await ageByMonth(t)
  const now = t.tools.clock()
  expect(await deleteSweeps(t.sql, { radars: now, others: now })).toBe(1)
  t.sandbox.plantChange(cpf(1), { figures: { RISK_WORKER: { count: 7, cents: 5_000_00 } } })
  await run(t)

  const { lastRuns } = await (await t.call('/api/portfolios/clients', { token })).json()
  expect(lastRuns).toMatchObject([{ state: 'done', first: false, changed: 1 }])
  const page = await t.call('/portfolios/Clients', { token, headers: { 'accept-language': 'en' } })
  expect(await page.text()).not.toContain(comparedWithNothing)
})
