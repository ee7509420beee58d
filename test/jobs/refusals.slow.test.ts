import { expect, test } from 'vitest'
import { heldLanes } from '../../src/store/fleet/lanes.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const anyHold = (t: Setup) => until(async () => (await heldLanes(t.sql))[0])

const settled = (t: Setup) =>
  until(async () => (await t.sql`select job_id from vigia.claim union all select null from vigia.intent`).length === 0)

/** Makes the next trial of the held lane due, and waits until it has ended. */
const tryLane = async (t: Setup) => {
  const [{ trials } = { trials: 0 }] = await heldLanes(t.sql)
  await t.sql`update vigia.lane set trial_at = now() - interval '1 second'`
  await until(async () => (await heldLanes(t.sql))[0]?.trials !== trials)
  await settled(t)
}

const reply = (status: number, body: object) => ({ fault: 'reply', status, body: JSON.stringify(body) }) as const

const mostOpen = 8
const few = { concurrency: { worker: mostOpen, fleet: mostOpen } }

test('a plan that refuses answers stops their fetching, and each trial of the lane sends one call', async () => {
  await using t = await setup({ config: few })
  const refused = reply(402, { status: 'PLAN_NOT_ALLOWED', message: 'Plano bloqueado' })
  t.sandbox.setScenario({ faults: [{ operation: 'consult', ...refused }] })
  const id = await t.submit(csvOf(cpfs(60)))

  expect(await anyHold(t)).toMatchObject({ kind: 'analysis', cause: 'fetch_refused', stops: 'everything' })
  await settled(t)
  const sent = t.sandbox.ledger.counts.consult
  // The first look-up that waits may be refused more than once before five of them wait.
  expect(sent).toBeLessThan(60)
  for (const trial of [1, 2, 3]) {
    await tryLane(t)
    expect(t.sandbox.ledger.counts.consult).toBe(sent + trial)
  }

  t.sandbox.setScenario({ faults: [] })
  await tryLane(t)
  await t.finished(id)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 60 })
  expect(t.sandbox.charges()).toBe(60)
})

test('equal refusals of purchases hold the lane, whatever their text; what was paid for is still fetched', async () => {
  await using t = await setup({ config: few, sandbox: { readyAfterMs: 300 } })
  const refused = reply(402, { message: 'Saldo esgotado', error: 'PaymentRequired' })
  t.sandbox.setScenario({ faults: [{ operation: 'generate', after: 20, ...refused }] })
  const id = await t.submit(csvOf(cpfs(100)))

  expect(await anyHold(t)).toMatchObject({ kind: 'analysis', cause: 'refused', stops: 'asking' })
  await until(async () => (await statesOf(t.sql, id)).ok === 20)
  const sent = t.sandbox.ledger.counts.generate
  expect(sent).toBeLessThan(20 + 5 + mostOpen)
  await tryLane(t)
  expect(t.sandbox.ledger.counts.generate).toBe(sent + 1)

  t.sandbox.setScenario({ faults: [] })
  await tryLane(t)
  await t.finished(id)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 100 })
  expect(t.sandbox.charges()).toBe(100)
})

const broken = (documents: string[]) =>
  documents.map((document) => ({ operation: 'processCount', document, fault: 'serverError' }) as const)

test('documents that always fail hold no lane, and end by themselves', async () => {
  await using t = await setup({ config: few })
  const [bad, good, next] = [cpfs(4), cpfs(40, 1_001), cpfs(25, 2_001)]
  t.sandbox.setScenario({ faults: broken(bad), latency: { processCount: 5 } })
  const first = await t.submit(csvOf([...bad, ...good]), { kind: 'processes' })
  await until(async () => (await statesOf(t.sql, first)).ok === 40)
  const second = await t.submit(csvOf(next), { kind: 'processes' })
  await t.finished(second)
  expect(await statesOf(t.sql, second)).toEqual({ ok: 25 })
  await t.finished(first)
  expect(await statesOf(t.sql, first)).toEqual({ ok: 40, failed: 4 })
  expect(t.logged.filter((line) => line.includes('lane held'))).toEqual([])
})

test('a lane held because of documents that always fail is tried by the next file, whose first call frees it', async () => {
  await using t = await setup({ config: few })
  const [bad, next] = [cpfs(12), cpfs(25, 2_001)]
  t.sandbox.setScenario({ faults: broken(bad) })
  await t.submit(csvOf(bad), { kind: 'processes' })
  expect(await anyHold(t)).toMatchObject({ kind: 'processes', cause: 'outage' })
  await settled(t)
  await t.sql`update vigia.lane set trial_at = now() + interval '1 hour', trials = 5`

  const second = await t.submit(csvOf(next), { kind: 'processes' })
  await t.finished(second)
  expect(await statesOf(t.sql, second)).toEqual({ ok: 25 })
})

test('one document that is denied ends by itself as denied, and holds nobody else', async () => {
  await using t = await setup({ config: few })
  const [denied, ...others] = cpfs(26)
  const refused = reply(403, { message: 'Documento restrito', error: 'ErrorForbiddenException' })
  t.sandbox.setScenario({
    faults: [{ operation: 'processCount', document: denied!, ...refused }],
    latency: { processCount: 5 },
  })
  const id = await t.submit(csvOf([denied!, ...others]), { kind: 'processes' })

  await t.finished(id)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 25, denied: 1 })
  expect(t.logged.filter((line) => line.includes('lane held'))).toEqual([])
})

test('one licence whose list is denied waits by itself, and the others are requested', async () => {
  await using t = await setup({ config: few })
  const [denied, ...others] = cpfs(8)
  const refused = reply(403, { message: 'Documento restrito', error: 'ErrorForbiddenException' })
  t.sandbox.setScenario({ faults: [{ operation: 'cnhLatest', document: denied!, ...refused }] })
  const id = await t.submit(csvOf([denied!, ...others]), { kind: 'cnh' })

  await until(async () => (await statesOf(t.sql, id)).queued === 1)
  await until(async () => (await t.sql`select from vigia.lookup where state in ('sending', 'waiting')`).length === 0)
  expect(t.sandbox.charges()).toBe(7)
  expect(t.sandbox.charges(denied!)).toBe(0)
  expect(await heldLanes(t.sql)).toEqual([])
})

test('a trial of a held lane is one request, however often others are repeated', async () => {
  await using t = await setup({ config: { ...few, request: { timeout: '2s', retries: 4 } } })
  t.sandbox.setScenario({ faults: [{ operation: 'processCount', fault: 'serverError' }] })
  await t.submit(csvOf(cpfs(30)), { kind: 'processes' })
  await anyHold(t)
  await settled(t)
  await t.sql`update vigia.lane set trial_at = now() + interval '1 hour'`
  const sent = t.sandbox.ledger.counts.processCount
  await tryLane(t)
  expect(t.sandbox.ledger.counts.processCount).toBe(sent + 1)
})
