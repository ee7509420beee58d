import { expect, test } from 'vitest'
import { call } from '../cli/call.ts'
import { sweepByQueue } from '../monitoring/sweep.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { environmentOf, type SetupOptions } from '../support/setup.ts'
import { setupWeb } from './setup.ts'

/** What a command and the page show of the plans, after two analyses. */
const plansOf = async (
  list: NonNullable<NonNullable<NonNullable<SetupOptions['sandbox']>['scenario']>['world']>['list'],
) => {
  await using t = await setupWeb({ sandbox: { scenario: { world: { list } } } })
  const token = await t.operator('analyst')
  const page = async () => (await t.call('/system', { token })).text()
  expect(await page()).not.toContain('What is left')
  await t.done(csvOf(cpfs(2)))
  await sweepByQueue(t, 'usage')
  const env = environmentOf(t.sandbox, t.databaseUrl, t.home)
  const { stdout } = await call(['plans'], env)
  const { stdout: json } = await call(['plans', '--json'], env)
  const { plans } = (await t.json('/api/plans', token)) as { plans: { organizations: unknown } }
  expect(plans.organizations).toEqual(JSON.parse(json).organizations)
  return { text: stdout, json: JSON.parse(json), page: await page() }
}

test('each plan has what it consumed, and the answer says that the interface shows nothing of what is left', async () => {
  const { text, json, page } = await plansOf({})
  const plans = [{ plan: 'ANALYTICS', consumed: 2 }]
  expect(json.organizations).toMatchObject([{ organization: 7001, complete: true, plans, left: null }])
  expect(json.organizations[0].list).toContainEqual({ path: ['total'], value: 2 })
  expect(text).toMatch(/7001 +ANALYTICS +2\n/)
  expect(text).toContain('What is left of the plans of 7001: the interface of the registry does not show it.')
  expect(page).toContain('The interface of the registry does not show what is left of a plan.')
})

test('what the list shows beyond the interface, such as a balance, is shown as it was sent', async () => {
  const { text, json, page } = await plansOf({ extra: { planBalance: 120 } })
  expect(json.organizations).toMatchObject([{ left: [{ path: ['planBalance'], value: 120 }] }])
  expect(text).toContain('The list of 7001 also shows: plan balance 120')
  expect(page).toContain('Plan balance')
  expect(page).not.toContain('The interface of the registry does not show what is left of a plan.')
})
