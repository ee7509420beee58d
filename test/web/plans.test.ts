import { expect, test } from 'vitest'
import { call } from '../cli/call.ts'
import { sweepByQueue } from '../monitoring/sweep.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { sharedWeb } from './setup.ts'

const t = await sharedWeb()
const token = await t.operator('analyst')
await t.done(csvOf(cpfs(2)))

/** What a command and the page show of the plans. */
const readPlans = async () => {
  await sweepByQueue(t, 'usage')
  const env = environmentOf(t.sandbox, t.databaseUrl, t.home)
  const { stdout } = await call(['plans'], env)
  const { plans } = await t.json('/api/plans', token)
  return { text: stdout, organizations: plans.organizations, page: await t.page('/system', token) }
}

test('each plan has what it consumed, and the answer says that the interface shows nothing of what is left', async () => {
  const { text, organizations, page } = await readPlans()
  const plans = [{ plan: 'ANALYTICS', consumed: 2 }]
  expect(organizations).toMatchObject([{ organization: 7001, complete: true, plans, left: null }])
  expect(organizations[0].list).toContainEqual({ path: ['total'], value: 2 })
  expect(text).toMatch(/7001 +ANALYTICS +2\n/)
  expect(text).toContain('What is left of the plans of 7001: the interface of the registry does not show it.')
  expect(page).toContain('The interface of the registry does not show what is left of a plan.')
})

test('what the list shows beyond the interface, such as a balance, is shown as it was sent', async () => {
  t.sandbox.setScenario({ world: { list: { extra: { planBalance: 120 } } } })
  const { text, organizations, page } = await readPlans()
  expect(organizations).toMatchObject([{ left: [{ path: ['planBalance'], value: 120 }] }])
  expect(text).toContain('The list of 7001 also shows: plan balance 120')
  expect(page).toContain('Plan balance')
  expect(page).not.toContain('The interface of the registry does not show what is left of a plan.')
})
