import { expect, test } from 'vitest'
import { acceptRadarList } from '../../src/monitoring/mirror-radars.ts'
import { nightTimeouts, takeRadarSweepFurther } from '../../src/monitoring/radar-sweep.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { listSuspicious } from '../../src/store/radars/radars.ts'
import { listUnverified, readSweep } from '../../src/store/radars/sweeps.ts'
import { listChanges } from '../../src/views/change.ts'
import { listRadars } from '../../src/views/radar.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { startReceiver } from './receiver.ts'
import { beginRadars, sweepOn, sweepRadars } from './sweep.ts'

const onlyProcesses = { radarSweep: { refresh: 'processes', analysisEvery: null } }

test.each([
  ['empty', 0],
  ['more than a fifth too short', 7],
])('a list that is %s removes nobody until a person accepts it', async (_, limit) => {
  await using t = await setup({ config: onlyProcesses })
  for (const code of cpfs(10)) t.sandbox.plantRadar({ code })
  await sweepRadars(t)
  t.sandbox.setScenario({ radars: { limit } })

  const night = await sweepRadars(t)

  expect(night).toMatchObject({ due: 10, verified: 10, changed: 0 })
  expect(night.detail).toMatchObject({ organizations: [{ list: 'suspicious' }] })
  expect(await listSuspicious(t.sql)).toMatchObject([{ listed: limit }])
  expect(t.logged.join('')).toContain('radar list is suspicious')

  await acceptRadarList(t.tools, { organizationId: t.sandbox.account.organizationId, by: 'test' })
  expect(await listRadars(t.sql, { listed: true, limit: 50 })).toHaveLength(limit)
  expect(await listChanges(t.sql, { limit: 50 })).toHaveLength(10 - limit)
  expect(await listSuspicious(t.sql)).toEqual([])
})

test('a complete list clears the suspicion by itself', async () => {
  await using t = await setup({ config: onlyProcesses })
  for (const code of cpfs(10)) t.sandbox.plantRadar({ code })
  await sweepRadars(t)
  t.sandbox.setScenario({ radars: { limit: 2 } })
  await sweepRadars(t)
  t.sandbox.setScenario({ radars: { limit: null } })

  expect(await sweepRadars(t)).toMatchObject({ due: 10, verified: 10, changed: 0 })
  expect(await listSuspicious(t.sql)).toEqual([])
})

test('a second job of the sweep, right after a list that could not be read, does not end the sweep', async () => {
  await using t = await setup({ config: onlyProcesses })
  for (const code of cpfs(3)) t.sandbox.plantRadar({ code })
  t.sandbox.setScenario({ faults: [{ operation: 'radarList', fault: 'serverError', times: 3 }] })
  const id = await beginRadars(t)

  const first = await takeRadarSweepFurther(t.tools, id)
  const second = await takeRadarSweepFurther(t.tools, id)

  expect([first, second]).toEqual([nightTimeouts.look, nightTimeouts.look])
  expect(await readSweep(t.sql, id)).toMatchObject({ state: 'running' })
  expect(await sweepOn(t, id, { ...nightTimeouts, look: 0 })).toMatchObject({ state: 'done', due: 3, verified: 3 })
})

test('documents without an answer are asked again before morning, and listed if they never get one', async () => {
  await using t = await setup({
    config: { ...onlyProcesses, polling: { first: '20ms', max: '50ms', deadline: '1s' } },
  })
  for (const code of cpfs(4)) t.sandbox.plantRadar({ code })
  const refusal = {
    operation: 'processCount' as const,
    fault: 'reply' as const,
    body: '{"success":false,"reason":"later"}',
  }
  t.sandbox.setScenario({ faults: [cpf(1), cpf(2)].map((document) => ({ ...refusal, document })) })
  const id = await beginRadars(t)
  const timeouts = { ...nightTimeouts, look: 0, mostTries: 3 }
  await until(async () => (await takeRadarSweepFurther(t.tools, id, { timeouts })) !== 0)

  t.sandbox.setScenario({ faults: [{ ...refusal, document: cpf(2) }] })
  const night = await sweepOn(t, id, { ...timeouts, retry: 0 })

  expect(night).toMatchObject({ due: 4, verified: 3 })
  expect(night.detail).toMatchObject({ unverified: { 'processes failed': 1 } })
  expect(await listUnverified(t.sql, night.id, 9)).toMatchObject([
    { document: cpf(2), message: ['unverified', 'processes', 'failed'], tries: 3 },
  ])
})

test('a sweep whose time is over reports what is missing and leaves nothing waiting', async () => {
  await using t = await setup({ config: onlyProcesses })
  for (const code of cpfs(3)) t.sandbox.plantRadar({ code })
  t.sandbox.setScenario({ latency: { processCount: 60_000 } })

  const night = await sweepRadars(t, { window: 0 })

  expect(night).toMatchObject({ state: 'done', due: 3, verified: 0 })
  expect(night.detail).toMatchObject({ unverified: { 'processes not answered in time': 3 } })
  expect(await t.sql`select from vigia.batch where finished_at is null`).toHaveLength(0)
})

test('documents that a held lane kept from being asked are listed by its cause', async () => {
  await using t = await setup({ config: onlyProcesses })
  t.sandbox.plantRadar({ code: cpf(1) })
  const { organizationId } = t.sandbox.account
  await holdLane(
    t.sql,
    { organizationId, kind: 'processes' },
    { cause: 'operator', reason: ['text', ''], trialAt: null },
    new Date(),
  )

  expect((await sweepRadars(t, { window: 0 })).detail).toMatchObject({
    unverified: { 'processes held for operator': 1 },
  })
})

test('a sweep that another worker left unfinished is ended from its rows', async () => {
  await using t = await setup()
  for (const code of cpfs(30)) t.sandbox.plantRadar({ code })
  const id = await beginRadars(t)
  const timeouts = { ...nightTimeouts, look: 0 }
  const both = () => Promise.allSettled([1, 2].map(() => takeRadarSweepFurther(t.tools, id, { timeouts })))

  await until(async () => (await both()).some((each) => each.status === 'fulfilled' && each.value === null))

  expect(t.sandbox.charges()).toBe(30)
  expect(await t.sql`select from vigia.batch`).toHaveLength(2)
  expect(await sweepRadars(t)).toMatchObject({ due: 30, verified: 30, changed: 0 })
})

test('each sweep is sent once by the webhook, with documents masked, and again until it is accepted', async () => {
  await using receiver = await startReceiver([503])
  await using t = await setup({
    config: { ...onlyProcesses, alerts: { webhook: receiver.url, allowPrivate: true } },
    env: { VIGIA_WEBHOOK_SECRET: 'shared-secret' },
  })
  t.sandbox.plantRadar({ code: cpf(1) })
  t.sandbox.plantChange(cpf(1), { processes: 1 })
  await sweepRadars(t)
  t.sandbox.plantChange(cpf(1), { processes: 5 })
  await sweepRadars(t)

  const taken = await until(async () => receiver.received.length >= 3 && receiver.received)

  const [first, , again] = taken.map(({ headers }) => headers['idempotency-key'])
  expect([taken[1]!.headers['idempotency-key'], again]).toContain(first)
  const digest = taken.map(({ body }) => JSON.parse(body)).find(({ changed }) => changed === 1)
  expect(digest).toMatchObject({
    says: '1 of 1 verified, 1 changed',
    worst: [{ field: 'processes', before: '1', after: '5' }],
  })
  expect(taken.map(({ body }) => body).join('')).not.toContain(cpf(1))
})
