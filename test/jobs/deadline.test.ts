import { expect, test } from 'vitest'
import { expireOverdue } from '../../src/engine/settle.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

/** A clock that moves only when the test moves it. */
const testClock = () => {
  let now = Date.now()
  const pass = (ms: number) => {
    now += ms
  }
  return { read: () => new Date(now), pass }
}

const minutes = (count: number) => count * 60_000
const patient = { polling: { first: '1m', max: '10m', deadline: '1h' }, concurrency: { worker: 32, fleet: 32 } }

const nothingDue = (t: Setup, clock: ReturnType<typeof testClock>) =>
  until(async () => {
    const busy = await t.sql`
      select id from vigia.lookup
       where finished_at is null and (due_at is null or due_at <= ${clock.read()} or state <> 'waiting') limit 1`
    return busy.length === 0
  })

test('two hundred look-ups that never get ready all end at their deadline, with the last status seen', async () => {
  const clock = testClock()
  await using t = await setup({
    clock: clock.read,
    config: patient,
    sandbox: { scenario: { faults: [{ operation: 'consult', fault: 'stuckForever' }] } },
  })
  const id = await t.submit(csvOf(cpfs(200)))
  await until(async () => (await statesOf(t.sql, id)).waiting === 200)

  for (let passed = 0; passed < 55; passed += 11) {
    clock.pass(minutes(11))
    t.running.engine.wake()
    await nothingDue(t, clock)
    expect((await statesOf(t.sql, id)).waiting).toBe(200)
  }
  clock.pass(minutes(11))
  t.running.engine.wake()
  await t.finished(id)

  expect(await statesOf(t.sql, id)).toEqual({ timed_out: 200 })
  const [shown] = await t.sql`select message, cardinality(trace)::int as lines from vigia.lookup limit 1`
  expect(shown?.message).toEqual(['last_seen', expect.any(String)])
  expect(shown?.lines).toBeLessThan(8)
  expect(t.sandbox.charges()).toBe(200)
})

test('what a hold kept from its deadline ends by the cause of the hold', async () => {
  const clock = testClock()
  await using t = await setup({ clock: clock.read, config: patient })
  const ends = [
    { kind: 'analysis', cause: 'plan', state: 'plan_blocked' },
    { kind: 'cnh', cause: 'denied', state: 'denied' },
    { kind: 'scr', cause: 'outage', state: 'timed_out' },
  ] as const
  const batches: bigint[] = []
  for (const { kind } of ends) {
    const lane = { organizationId: t.sandbox.account.organizationId, kind }
    // New look-ups let a lane be tried at once, unless a person holds it.
    await holdLane(t.sql, lane, { cause: 'operator', reason: ['text', 'because'], trialAt: null }, clock.read())
    batches.push(await t.submit(csvOf(cpfs(20)), { kind }))
  }
  const states = () => Promise.all(batches.map((id) => statesOf(t.sql, id)))
  await until(async () => (await states()).every(({ queued }) => queued === 20))
  // Half of them were asked before the lane was held, as at the start of an outage.
  await t.sql`update vigia.lookup set attempts = 1, message = '["text", "no answer"]' where id % 2 = 0`
  for (const { kind, cause } of ends) await t.sql`update vigia.lane set cause = ${cause} where kind = ${kind}`

  clock.pass(minutes(61))
  await until(async () => {
    await expireOverdue(t.running.engine)
    return (await t.sql`select from vigia.lookup where finished_at is null`).length === 0
  })
  expect(await states()).toEqual(ends.map(({ state }) => ({ [state]: 20 })))
  expect(t.sandbox.charges()).toBe(0)
})
