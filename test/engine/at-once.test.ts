import { expect, test } from 'vitest'
import { advance, afterStep, inOneTurn } from '../../src/domain/advance.ts'
import { accepted, ok } from '../../src/domain/outcome.ts'
import { createAtOnce } from '../../src/engine/engine.ts'
import { createStepWriter } from '../../src/engine/step-writer.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { lookupOf } from '../support/lookup.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

test('an answer that comes at once is read in the turn of its purchase, and the history shows both', async () => {
  await using t = await setup()
  const batch = await t.finished(await t.submit(csvOf(cpfs(20))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 20 })
  expect(await t.sql`select from pgboss.job where name = 'consult-analyses'`).toHaveLength(0)
  const histories = await t.sql<{ codes: string[] }[]>`
    select distinct array(select vigia.history_code(line) from unnest(vigia.history_of(l)) as line) as codes from vigia.lookup l`
  expect(histories).toEqual([{ codes: ['intent', 'accepted', 'answered'] }])
  expect(await t.sql`select from vigia.lookup where trace <> '{}'`).toHaveLength(0)
  const [kept] = await t.sql<[{ rows: number }]>`
    select count(*)::int as rows from vigia.lookup
     where charged = 'yes' and remote_id is not null and registry_name is not null and estimated is not null`
  expect(kept).toEqual({ rows: 20 })
})

test('what the registry refuses at once stays bought, and is asked for again', async () => {
  const faults = [{ operation: 'consult', fault: 'serverError', every: 2 } as const]
  await using t = await setup({ config: { request: { retries: 0 } }, sandbox: { scenario: { faults } } })
  const batch = await t.finished(await t.submit(csvOf(cpfs(12))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 12 })
  expect(t.sandbox.charges()).toBe(12)
})

test('refusals of what was just bought hold the lane for fetching, and do not count as refused purchases', async () => {
  const faults = [{ operation: 'consult', fault: 'reply', status: 403, body: '{"message":"no"}' } as const]
  await using t = await setup({ sandbox: { scenario: { faults } } })
  await t.submit(csvOf(cpfs(40)))
  const held = async () => (await t.sql<{ cause: string }[]>`select cause from vigia.lane`)[0]?.cause
  await until(held)

  expect(['denied', 'fetch_refused']).toContain(await held())
  expect(await t.sql`select from vigia.lookup where refused_as is not null`).toHaveLength(0)
  await t.running.stop()
  const known = await t.sql`select from vigia.lookup where charged = 'yes' and remote_id is not null`
  expect(known).toHaveLength(t.sandbox.charges())
})

test('a purchase whose answer the database refuses is kept', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 3_600_000 } })
  await t.submit(csvOf(cpfs(1)))
  await until(async () => (await t.sql`select from vigia.lookup where state = 'waiting'`).length === 1)
  await t.running.stop()
  const now = new Date()
  const [row] = await t.sql<{ id: bigint }[]>`
    update vigia.lookup set state = 'queued', charged = 'no', remote_id = null, remote_key = null returning id`
  const paid = { state: 'sending', sendingAt: now, remote: null, charged: 'unknown' } as const
  const sending = lookupOf({ id: row!.id, question: cpfs(1)[0]!, ...paid })
  await t.sql`insert into vigia.intent_group (lookup_ids, sent_at, judged_at) values (array[${row!.id}::bigint], ${now}, ${now})`
  const timeouts = { ...t.running.engine.timeouts('analysis'), retries: 5 }
  const bought = advance(sending, accepted({ id: '77', key: '1' }), timeouts, now)
  const impossible = ok({ total: 1 }, { asOf: new Date(8.64e15) })
  const step = inOneTurn(bought, advance(afterStep(sending, bought), impossible, timeouts, now))
  const writer = createStepWriter(t.running.engine)
  writer.expect(1)
  writer.add(step, now)
  await writer.end()

  expect(await t.sql`select state, charged, remote_id as remote from vigia.lookup`).toEqual([
    { state: 'waiting', charged: 'yes', remote: '77' },
  ])
})

test('while answers do not come at once, that is tried ever more rarely', () => {
  const atOnce = createAtOnce()
  const tries = (turns: number, isAnswered: boolean, ms = 1): number => {
    let tried = 0
    for (let i = 0; i < turns; i++) {
      if (!atOnce.isWorthTrying()) continue
      tried++
      atOnce.record(isAnswered, ms)
    }
    return tried
  }

  expect(tries(100, true)).toBe(100)
  expect(tries(1_000, false)).toBeLessThan(12)
  expect(tries(1_000, true)).toBeGreaterThan(700)
  expect(tries(1_000, true, 5_000)).toBeLessThan(12)
})
