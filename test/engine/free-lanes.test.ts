import { expect, test } from 'vitest'
import { pauseBatch } from '../../src/batches/pause-resume-cancel.ts'
import type { HoldCause } from '../../src/domain/call-failure.ts'
import { type Kind, kinds } from '../../src/domain/kind.ts'
import { createLaneFreer, freeLanes } from '../../src/engine/hold.ts'
import { repeat } from '../../src/schedule/start-schedules.ts'
import { heldLanes, holdLane, resumeLane } from '../../src/store/fleet/lanes.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const inMs = (ms: number) => new Date(Date.now() + ms)
const farOff = () => inMs(3_600_000)
const longDue = () => inMs(-60_000)

const hold = (t: Setup, kind: Kind, cause: HoldCause, trialAt: Date | null) =>
  holdLane(
    t.sql,
    { organizationId: t.sandbox.account.organizationId, kind },
    { cause, reason: ['text', 'because'], trialAt },
    new Date(),
  )

const holdAll = (t: Setup, cause: HoldCause, trialAt: Date) =>
  Promise.all(kinds.map((kind) => hold(t, kind, cause, trialAt)))

const heldKinds = async (t: Setup) => (await heldLanes(t.sql)).map(({ kind }) => kind).sort()

const noneHeld = (t: Setup) => until(async () => (await heldLanes(t.sql)).length === 0)

const neverAsked = { provenAt: () => null, works: () => Promise.reject(new Error('not to be asked')) }

test('the first call that is accepted frees every lane held for the token, idle ones too', async () => {
  await using t = await setup()
  await holdAll(t, 'token', farOff())
  await resumeLane(t.sql, { organizationId: t.sandbox.account.organizationId, kind: 'processes' })
  const id = await t.submit(csvOf(cpfs(3)), { kind: 'processes' })
  await t.finished(id)

  await noneHeld(t)
})

test('lanes without any work are freed once the token works again, and stay held until then', async () => {
  await using t = await setup()
  t.sandbox.setScenario({ token: { refuseRefresh: true } })
  t.sandbox.expireTokens()
  await holdAll(t, 'token', longDue())
  const tried = await until(async () => {
    const lanes = await heldLanes(t.sql)
    return lanes.every(({ trials }) => trials === 1) && lanes
  })
  expect(tried).toHaveLength(kinds.length)
  expect(tried.every(({ trialAt }) => trialAt! > new Date())).toBe(true)
  expect(t.sandbox.charges()).toBe(0)

  t.sandbox.setScenario({ token: {} })
  // As if half a minute had passed: the refusal of this token is not remembered.
  await t.sql`update vigia.credential set generation = generation + 1`
  await t.sql`update vigia.lane set trial_at = ${longDue()}`
  await noneHeld(t)
})

test('a lane without work is freed once its trial is due, unless a person holds it', async () => {
  await using t = await setup()
  await hold(t, 'analysis', 'outage', longDue())
  await hold(t, 'cnh', 'plan', longDue())
  await hold(t, 'scr', 'denied', longDue())
  await hold(t, 'processes', 'budget', longDue())
  await hold(t, 'inactivation', 'outage', farOff())
  await hold(t, 'radar', 'operator', null)

  await freeLanes(t.running.engine, neverAsked)
  expect(await heldKinds(t)).toEqual(['inactivation', 'radar'])
})

test('a lane stays held while a look-up waits that will try it, but not for a paused one', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 60_000 }, config: { polling: { first: '30m', max: '30m' } } })
  const id = await t.submit(csvOf(cpfs(2)))
  await until(
    async () =>
      (await t.sql`select id from vigia.lookup where state = 'waiting' and not exists (select from vigia.claim)`)
        .length === 2,
  )
  await hold(t, 'analysis', 'outage', longDue())
  await freeLanes(t.running.engine, neverAsked)
  expect(await heldKinds(t)).toEqual(['analysis'])

  await t.sql`update vigia.lookup set state = 'queued', charged = 'no', remote_id = null`
  await freeLanes(t.running.engine, neverAsked)
  expect(await heldKinds(t)).toEqual(['analysis'])
  const { finished } = t.running.engine
  await pauseBatch(t.sql, id, { by: 'test', now: new Date(), deadlineMs: 60_000, finished })
  await freeLanes(t.running.engine, neverAsked)
  expect(await heldKinds(t)).toEqual([])
})

test('lanes that are held again at once are not freed again at once', async () => {
  await using t = await setup()
  await t.running.stop()
  let asked = 0
  const works = async () => {
    asked++
    return false
  }
  const freeing = repeat(1_000, createLaneFreer(t.running.engine, { provenAt: () => new Date(), works }), console.warn)
  await holdAll(t, 'token', farOff())
  await noneHeld(t)
  await holdAll(t, 'token', longDue())
  await until(async () => asked > 0)
  expect(await heldKinds(t)).toHaveLength(kinds.length)
  await freeing.stop()
})
