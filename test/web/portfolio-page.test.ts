import { expect, test } from 'vitest'
import { pauseRuns } from '../../src/portfolios/keep-portfolio.ts'
import { ringPortfolios } from '../../src/schedule/start-schedules.ts'
import { addList } from '../portfolios/runs.ts'
import { cpfs } from '../support/documents.ts'
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
