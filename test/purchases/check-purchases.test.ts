import { expect, test } from 'vitest'
import type { HoldCause } from '../../src/domain/call-failure.ts'
import type { FaultRule } from '../../src/sandbox/fault-rule.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { holdLane, resumeLane } from '../../src/store/fleet/lanes.ts'
import { readIncidents } from '../../src/views/incident.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const others = [{ documents: cpfs(2), ageMs: 86_400_000 }]
const failing = (operation: FaultRule['operation'], times?: number) => [
  { operation, fault: 'serverError' as const, ...(times && { times }) },
]
const lane = { organizationId: accounts[0].organizationId, kind: 'analysis' as const }
const config = { request: { timeout: '2s', retries: 0 } }

test('buys nothing while the list of purchases cannot be read, says so, and resumes once it can', async () => {
  const scenario = { world: { others }, faults: failing('activities') }
  await using t = await setup({ config, sandbox: { scenario } })
  const id = await t.submit(csvOf(cpfs(5)))
  const incident = await until(async () => (await readIncidents(t.sql)).find(({ batches }) => batches.length > 0))
  expect(incident).toMatchObject({
    what: 'lanes_held',
    cause: 'list',
    stops: 'asking',
    todo: 'nothing',
    goesOnAlone: true,
  })
  expect(incident.detail).toContain('the purchases at the registry could not be read')
  expect(incident.batches).toMatchObject([{ batch: Number(id), open: 5 }])
  await tryNow(t)
  await until(async () => (await t.sql`select from vigia.lane where trials > 0`).length > 0)
  expect(t.sandbox.charges()).toBe(0)

  t.sandbox.setScenario({ faults: [] })
  await tryNow(t)
  const batch = await t.finished(id)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 5 })
  expect(batch).toMatchObject({ spent: 3, adopted: 2 })
  expect(t.sandbox.charges()).toBe(3)
  expect(await readIncidents(t.sql)).toEqual([])
})

/** The lane that is held, once it is held for this cause, or for any. */
const held = ({ sql }: Setup, cause?: HoldCause): Promise<{ cause: HoldCause; trialAt: Date }> =>
  until(
    async () =>
      (
        await sql<{ cause: HoldCause; trialAt: Date }[]>`
          select cause, trial_at from vigia.lane where cause = coalesce(${cause ?? null}, cause)`
      )[0],
  )

/** As if the last attempt had been long ago. */
const tryNow = async ({ sql }: Setup): Promise<void> => {
  await sql`update vigia.list_snapshot set ended_at = ended_at - interval '1 minute'`
  await sql`update vigia.lane set trial_at = now()`
}

test('reads the list again if the last one is dated ahead: the clock of the database stepped back since', async () => {
  await using t = await setup({ config })
  await t.finished(await t.submit(csvOf(cpfs(1))))
  await t.sql`update vigia.list_snapshot set began_at = now() + interval '1 minute'`
  const before = await t.sql`select from vigia.list_snapshot`
  await t.finished(await t.submit(csvOf(cpfs(1, 100))))
  const after = await t.sql`select from vigia.list_snapshot`
  expect(after.length).toBeGreaterThan(before.length)
})

test('still fetches what was paid for', async () => {
  const scenario = { readyAfterMs: 3_600_000 }
  await using t = await setup({ config, sandbox: { scenario } })
  const paid = await t.submit(csvOf(cpfs(3)))
  await until(async () => (await t.sql`select from vigia.lookup where state = 'waiting'`).length === 3)
  await t.sql`update vigia.list_snapshot set began_at = began_at - interval '1 day'`
  await t.sql`update vigia.lookup set asked_at = asked_at - interval '1 day'`
  t.sandbox.setScenario({ faults: failing('activities') })
  const waiting = await t.submit(csvOf(cpfs(2, 100)))
  await held(t, 'list')

  t.sandbox.setScenario({ readyAfterMs: 0 })
  await t.finished(paid)
  expect(await statesOf(t.sql, paid)).toEqual({ ok: 3 })
  expect(await statesOf(t.sql, waiting)).toEqual({ queued: 2 })
  expect(t.sandbox.charges()).toBe(3)
})

test('a lane held for its budget, whose trial meets an unreadable list, is tried again soon', async () => {
  await using t = await setup({ config, sandbox: { scenario: { faults: failing('activities') } } })
  const tomorrow = new Date(Date.now() + 86_400_000)
  await holdLane(t.sql, lane, { cause: 'budget', reason: ['text', 'spent'], trialAt: new Date() }, new Date())
  await t.submit(csvOf(cpfs(2)))
  const { trialAt } = await held(t, 'list')
  expect(trialAt.getTime()).toBeLessThan(tomorrow.getTime() - 80_000_000)
})

test('the lane of an organization without access is held for that, whichever call met it first', async () => {
  await using t = await setup({ config })
  t.sandbox.setScenario({ deniedOrganizations: [t.sandbox.account.organizationId] })
  await t.submit(csvOf(cpfs(2)))
  expect((await held(t)).cause).toBe('denied')
  expect(t.sandbox.charges()).toBe(0)
})

test('continues with the list that was read for the file if a newer one cannot be read', async () => {
  const purchases = { listLag: '200ms', maxAge: '1ms' }
  await using t = await setup({
    config: { ...config, purchases },
    sandbox: { scenario: { faults: failing('activities') } },
  })
  await holdLane(t.sql, lane, { cause: 'operator', reason: ['text', 'for a while'], trialAt: null }, new Date())
  const id = await t.submit(csvOf(cpfs(3)))
  await until(async () => (await readBatch(t.sql, id))?.state === 'running')
  await t.sql`insert into vigia.list_snapshot (organization_id, kind, began_at, ended_at, complete)
              values (${lane.organizationId}, 'analysis', now(), now(), true)`
  await resumeLane(t.sql, lane)
  expect((await t.finished(id)).spent).toBe(3)
})

test('after a loss two lists decide: what the first lacks for a moment is not bought again', async () => {
  const empty = '{"sucess":true,"reason":"","total":0,"from":0,"to":0,"limit":0,"result":[]}'
  const faults = [{ operation: 'activities' as const, fault: 'reply' as const, status: 200, body: empty, times: 1 }]
  await using t = await setup({ config, sandbox: { scenario: { faults } } })
  const [bought] = cpfs(1)
  t.sandbox.alreadyGenerated(bought!)
  const before = t.sandbox.charges()
  await t.sql`update vigia.fleet set list_read_after = now()`
  const id = await t.submit(csvOf([bought!]))
  expect(await t.finished(id)).toMatchObject({ spent: 0, adopted: 1 })
  expect(t.sandbox.charges()).toBe(before)
})

test('buys without the list if nothing that was bought elsewhere would be adopted', async () => {
  const purchases = { listLag: '200ms', adopt: false }
  const scenario = { world: { others }, faults: failing('activities') }
  await using t = await setup({ config: { ...config, purchases }, sandbox: { scenario } })
  await t.finished(await t.submit(csvOf(cpfs(3))))
  expect(t.sandbox.charges()).toBe(3)
})

test('requests no licence while the latest one cannot be read, and delays no other', async () => {
  await using t = await setup({ config })
  const [known, ...rest] = cpfs(4)
  t.sandbox.alreadyRequested(known!)
  const before = t.sandbox.charges()
  t.sandbox.setScenario({ faults: failing('cnhLatest', 1) })
  const id = await t.submit(csvOf([known!, ...rest]), { kind: 'cnh' })
  await t.finished(id)
  expect(t.sandbox.charges() - before).toBe(3)
  expect(t.logged.filter((line) => line.includes('could not read the latest licences'))).toHaveLength(1)
})

test('if the registry does not answer, licences are held as a lane, not one by one', async () => {
  const scenario = { faults: failing('cnhLatest') }
  await using t = await setup({ config, sandbox: { scenario } })
  await t.submit(csvOf(cpfs(20)), { kind: 'cnh' })
  expect((await held(t)).cause).toBe('outage')
  expect(t.sandbox.charges()).toBe(0)
})

test('a licence that can never be read waits by itself, with its reason', async () => {
  const [hidden, ...rest] = cpfs(4)
  const faults = [{ operation: 'cnhLatest' as const, fault: 'serverError' as const, document: hidden! }]
  await using t = await setup({ config, sandbox: { scenario: { faults } } })
  const id = await t.submit(csvOf([hidden!, ...rest]), { kind: 'cnh' })
  await until(async () => (await t.sql`select from vigia.lookup where finished_at is not null`).length === 3)
  expect(t.sandbox.charges()).toBe(3)
  const [row] =
    await t.sql`select state, charged, message, due_at <= deadline_at as in_time from vigia.lookup where question = ${hidden!}`
  expect(row).toMatchObject({ state: 'queued', charged: 'no', inTime: true })
  expect(row!.message[0]).toBe('list_unread')
  expect(await statesOf(t.sql, id)).toMatchObject({ queued: 1 })
})
