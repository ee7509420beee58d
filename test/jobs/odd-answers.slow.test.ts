import { expect, test } from 'vitest'
import { parseAmount } from '../../src/domain/amount.ts'
import { inEnglish } from '../../src/messages/message.ts'
import { hasLicence } from '../../src/sandbox/data/people.ts'
import { summaryOf } from '../../src/sandbox/data/risk.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const shortTimeouts = { request: { timeout: '800ms', retries: 0 } }
const licensed = cpfs(60).filter((document) => hasLicence(document, 1))
const unlicensed = cpfs(60).filter((document) => !hasLicence(document, 1))

test('an analysis whose reply named another document is found in the list, and nobody gets the answer of another', async () => {
  const scenario = { faults: [{ operation: 'generate' as const, fault: 'mixedUp' as const }] }
  await using t = await setup({ config: shortTimeouts, sandbox: { scenario } })
  // The list has 21 then: one of 20 might be a page.
  const batch = await t.finished(await t.submit(csvOf(cpfs(21))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 21 })
  expect(t.sandbox.charges()).toBe(21)
  const rows = await t.sql<{ question: string; cents: string; remoteId: string }[]>`
    select l.question, a.cents::text, l.remote_id from vigia.lookup l join vigia.answer a on a.lookup_id = l.id`
  expect(new Set(rows.map(({ remoteId }) => remoteId)).size).toBe(21)
  for (const { question, cents } of rows) {
    const own = Object.values(summaryOf(question, { seed: 1, day: 0, changeShare: 0 }))
    expect(cents).toBe(`{${own.map(({ vltotalProcess }) => parseAmount(vltotalProcess))}}`)
  }
})

test('a purchase whose reply named another document is parked where the list cannot prove it', async () => {
  const scenario = {
    activities: { limit: 1, keep: 'oldest' as const },
    faults: [{ operation: 'generate' as const, fault: 'mixedUp' as const }],
  }
  await using t = await setup({ config: shortTimeouts, sandbox: { scenario } })
  const batch = await t.finished(await t.submit(csvOf(cpfs(5))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 1, unknown_outcome: 4 })
  expect(t.sandbox.charges()).toBe(5)
})

test('a licence of another CPF is never shown: its reply is requested again, or its request is found by its CPF', async () => {
  const faults = [
    { operation: 'cnhCreate' as const, fault: 'mixedUp' as const },
    { operation: 'cnhRead' as const, fault: 'mixedUp' as const, times: 40 },
  ]
  await using t = await setup({ config: shortTimeouts, sandbox: { scenario: { faults } } })
  const batch = await t.finished(await t.submit(csvOf(licensed.slice(0, 20)), { kind: 'cnh' }))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 20 })
  expect(t.sandbox.charges()).toBe(20)
  const rows = await t.sql<{ question: string; remoteId: string }[]>`
    select question, remote_id from vigia.lookup`
  const owners = rows.map(({ question, remoteId }) => [question, t.sandbox.records.cnh.get(remoteId)?.document])
  expect(owners.filter(([question, owner]) => question !== owner)).toEqual([])
})

test('a count that is always about another document fails at the deadline, for that reason', async () => {
  const reply = { success: true, total: 3, result: [{ documentNumber: '11144477735' }] }
  const body = JSON.stringify(reply)
  await using t = await setup({
    config: { polling: { first: '20ms', max: '50ms', deadline: '3s' } },
    sandbox: { scenario: { faults: [{ operation: 'processCount', fault: 'reply', body, worked: true }] } },
  })
  const batch = await t.finished(await t.submit(csvOf(cpfs(3)), { kind: 'processes' }))

  expect(await statesOf(t.sql, batch.id)).toEqual({ failed: 3 })
  const [shown] = await t.sql`select message from vigia.lookup limit 1`
  expect(inEnglish(shown?.message)).toMatch(/partner\/process answered 200 with an answer about another document$/)
  expect(t.sandbox.ledger.counts.processCount).toBeGreaterThan(3 * 6)
})

test('a licence request that is 404 at first is awaited: the registry accepted it', async () => {
  await using t = await setup({ sandbox: { scenario: { hidesNewCnhMs: 1_500 } } })
  const batch = await t.finished(await t.submit(csvOf(licensed.slice(0, 20)), { kind: 'cnh' }))
  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 20 })
  expect(t.sandbox.charges()).toBe(20)
})

test.each([
  ['has timed out at its deadline', false, 'timed_out'],
  ['is not found at its deadline where the registry has no record of its CPF either', true, 'not_found'],
])('a licence request that stays 404 %s', async (_, hidesAbsentCnh, state) => {
  await using t = await setup({
    config: { polling: { first: '20ms', max: '50ms', deadline: '2s' } },
    sandbox: { scenario: { hidesAbsentCnh } },
  })
  const batch = await t.finished(await t.submit(csvOf(unlicensed.slice(0, 2)), { kind: 'cnh' }))
  expect(await statesOf(t.sql, batch.id)).toEqual({ [state]: 2 })
  const [shown] = await t.sql<{ waited: number }[]>`
    select min(extract(epoch from finished_at - sending_at))::float8 as waited from vigia.lookup`
  expect(shown?.waited).toBeGreaterThanOrEqual(2)
  expect(t.sandbox.charges()).toBe(2)
})

test('a new customer whose empty list is a refusal buys, and one whose call was lost then is not charged twice', async () => {
  const world = { list: { empty: 'refused' as const } }
  const faults = [{ operation: 'generate' as const, fault: 'closedAfter' as const, nth: 1 }]
  const scenario = { world, faults, activities: { lagMs: 3_600_000 } }
  await using t = await setup({ config: shortTimeouts, sandbox: { scenario } })
  const batch = await t.finished(await t.submit(csvOf(cpfs(3))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 2, unknown_outcome: 1 })
  expect(t.sandbox.charges()).toBe(3)
})

test('units that are given back during a day are spent on it', async () => {
  const faults = [{ operation: 'generate' as const, fault: 'closedBefore' as const, times: 6 }]
  const budget = { perDay: 12, perBatch: null, confirmAbove: null }
  await using t = await setup({ config: { ...shortTimeouts, budget }, sandbox: { scenario: { faults } } })
  const id = await t.submit(csvOf(cpfs(16)))
  await until(async () => (await statesOf(t.sql, id)).ok === 12)
  await until(async () => (await held(t)).includes('budget'))
  expect(t.sandbox.charges()).toBe(12)
  expect(await t.sql`select units from vigia.spending_day`).toEqual([{ units: 12 }])
})

const held = async ({ sql }: Setup) => (await sql`select cause from vigia.lane`).map(({ cause }) => cause)

test('an amount that no number holds keeps its text, and its figure is missing', async () => {
  const faults = [{ operation: 'consult' as const, fault: 'drift' as const, drift: 'hugeAmounts' as const }]
  await using t = await setup({ sandbox: { scenario: { faults } } })
  await t.finished(await t.submit(csvOf(cpfs(2))))
  const answers = await t.sql`
    select distinct amounts[1] as amount, cents[1]::text as cents from vigia.answer`
  expect(answers).toEqual([{ amount: '1e400', cents: null }])
})
