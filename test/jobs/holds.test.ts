import { expect, test } from 'vitest'
import { heldLanes, holdLane, resumeLane } from '../../src/store/fleet/lanes.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { anotherEngine, type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const heldFor = (t: Setup, cause: string) =>
  until(async () => (await heldLanes(t.sql)).find((lane) => lane.cause === cause))

const settled = (t: Setup) =>
  until(async () => (await t.sql`select job_id from vigia.claim union all select null from vigia.intent`).length === 0)

test('a plan that runs out holds the lane within the bound, and after the resume exactly the rest is bought', async () => {
  await using t = await setup({ config: { concurrency: { worker: 8, fleet: 8 } } })
  t.sandbox.setScenario({ plans: { [t.sandbox.account.planId]: { units: 100 } } })
  const id = await t.submit(csvOf(cpfs(300)))

  expect(await heldFor(t, 'plan')).toMatchObject({ kind: 'analysis' })
  await settled(t)
  expect(t.sandbox.charges()).toBe(100)
  expect(t.sandbox.ledger.refusals.PLAN_NOT_ALLOWED).toBeLessThanOrEqual(8)
  // The outcome of a refused purchase is unknown until the list was read.
  await until(async () => (await statesOf(t.sql, id)).queued === 200)

  t.sandbox.setScenario({ plans: {} })
  await resumeLane(t.sql, { organizationId: t.sandbox.account.organizationId, kind: 'analysis' })
  const batch = await t.finished(id)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 300 })
  expect(t.sandbox.charges()).toBe(300)
  expect(batch.spent).toBe(300)
})

test('access denied holds the lane with its cause instead of failing every row', async () => {
  await using t = await setup()
  t.sandbox.setScenario({ deniedOrganizations: [t.sandbox.account.organizationId] })
  const id = await t.submit(csvOf(cpfs(200)), { kind: 'processes' })

  expect(await heldFor(t, 'denied')).toMatchObject({ kind: 'processes' })
  await settled(t)
  expect(await statesOf(t.sql, id)).toEqual({ queued: 200 })
  expect(t.sandbox.ledger.counts.processCount).toBeLessThan(5 + 16)
})

test('purchases of another organization in the list, which cannot be read, do not keep the rest from being bought', async () => {
  await using t = await setup()
  const others = [{ documents: cpfs(6), ageMs: 3_600_000, organizationId: 7002 }]
  t.sandbox.setScenario({ world: { list: { foreign: 'unmarked' }, others } })
  const id = await t.submit(csvOf(cpfs(30)))

  await until(async () => (await statesOf(t.sql, id)).ok === 24)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 24, waiting: 6 })
  expect(await heldLanes(t.sql)).toEqual([])
})

test('an outage holds the lane and ends by itself', async () => {
  await using t = await setup({ config: { request: { timeout: '500ms', retries: 0 } } })
  t.sandbox.setScenario({ outage: { how: 'unavailable' } })
  const id = await t.submit(csvOf(cpfs(100)), { kind: 'processes' })
  await heldFor(t, 'outage')

  t.sandbox.setScenario({ outage: null })
  await t.finished(id)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 100 })
  expect(await heldLanes(t.sql)).toEqual([])
})

test('one list that can be read ends an outage, however many calls have an unknown outcome', async () => {
  await using t = await setup({ config: { request: { timeout: '800ms', retries: 0 } } })
  t.sandbox.setScenario({ faults: [{ operation: 'generate', fault: 'hang', times: 16 }] })
  const id = await t.submit(csvOf(cpfs(16)))
  await until(async () => (await statesOf(t.sql, id)).sending === 16)
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' } as const
  await holdLane(t.sql, lane, { cause: 'outage', reason: ['text', 'silence'], trialAt: new Date() }, new Date())

  await t.finished(id)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 16 })
  expect(t.sandbox.charges()).toBe(16)
})

test('fetching what was paid for does not end a hold of the plan', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 60_000 } })
  t.sandbox.setScenario({ plans: { [t.sandbox.account.planId]: { units: 20 } } })
  await t.submit(csvOf(cpfs(40)))
  const { heldAt } = await heldFor(t, 'plan')
  await settled(t)

  await t.sql`update vigia.lane set trial_at = now()`
  const { trials } = await until(async () => (await heldLanes(t.sql)).find((lane) => lane.trials > 0))
  await settled(t)
  expect(trials).toBe(1)
  expect(await heldFor(t, 'plan')).toMatchObject({ heldAt })
})

test('a refused renewal holds every lane with one alert; a new token resumes them', async () => {
  // With it, the list that the old token could not read would hold the lane for some seconds more.
  await using t = await setup({ config: { purchases: { adopt: false } } })
  t.sandbox.setScenario({ token: { refuseRefresh: true } })
  t.sandbox.expireTokens()
  const id = await t.submit(csvOf(cpfs(50)))

  await heldFor(t, 'token')
  await settled(t)
  expect(t.sandbox.charges()).toBe(0)
  // A job has ended before all lanes are held.
  await until(async () => (await heldLanes(t.sql)).length === t.running.accounts.length * 6)
  expect(t.logged.filter((line) => line.includes('lane held'))).toHaveLength(1)
  expect(await statesOf(t.sql, id)).toEqual({ queued: 50 })

  await t.running.stop()
  await using _restarted = await anotherEngine(t, t.sandbox.giveToken())
  expect(await heldLanes(t.sql)).toEqual([])
  await t.finished(id)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 50 })
})
