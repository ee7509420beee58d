import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expireOverdue } from '../../src/engine/settle.ts'
import { hasLicence } from '../../src/sandbox/data/people.ts'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import { holdLane, resumeLane } from '../../src/store/fleet/lanes.ts'
import { sweepRadars } from '../monitoring/sweep.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

/** Registries that decide differently what the interface leaves open. None of them gets a second payment for anything. */

const patient = { request: { timeout: '1s', retries: 0 } }
const lost = (times: number) => [{ operation: 'generate' as const, fault: 'closedAfter' as const, times }]

const datesOtherwise: [string, NonNullable<ScenarioPatch['world']>][] = [
  ['by the day', { dates: { shape: 'day' } }],
  ['by the day, as Brazil writes it, in Noronha', { dates: { shape: 'brazilianDay', zone: 'America/Noronha' } }],
  ['without a zone, in Manaus', { dates: { shape: 'zoneless', zone: 'America/Manaus' } }],
  ['by a clock three minutes slow', { dates: { clockMs: -180_000 } }],
  ['not at all', { dates: { shape: 'none' } }],
]

test.each(datesOtherwise)('adopts what lost answers bought where the list dates %s', async (_, world) => {
  await using t = await setup({ config: patient, sandbox: { scenario: { world, faults: lost(3) } } })
  const batch = await t.finished(await t.submit(csvOf(cpfs(5))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 5 })
  expect(t.sandbox.charges()).toBe(5)
  expect(batch.spent).toBe(5)
})

test.each([
  ['more is to be bought', 0],
  ['what was bought last is not listed yet', 1_500],
])(
  'waits for a list that does not say what it leaves out to show ours from after the call, where %s',
  async (_, lagMs) => {
    const faults = [{ operation: 'generate' as const, fault: 'closedBefore' as const, nth: 11 }]
    const world = { list: { figures: 'null' as const, lagMs } }
    const config = { ...patient, purchases: { listLag: '1s' } }
    await using t = await setup({ config, sandbox: { scenario: { world, faults } } })
    await t.finished(await t.submit(csvOf(cpfs(10))))
    await t.sql`update vigia.lookup set sending_at = sending_at - interval '1 minute'`
    const outcomeUnknown = await t.submit(csvOf(cpfs(1, 100)))
    await until(async () => (await t.sql`select from vigia.lookup where state = 'sending'`).length === 1)
    const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
    await holdLane(t.sql, lane, { cause: 'plan', reason: ['text', 'for a while'], trialAt: null }, new Date())
    const more = await t.submit(csvOf(cpfs(1, 200)))
    await until(
      async () => (await t.sql`select from vigia.lookup where state = 'sending' and attempts > 2`).length === 1,
    )
    await resumeLane(t.sql, lane)

    for (const id of [outcomeUnknown, more]) expect(await statesOf(t.sql, (await t.finished(id)).id)).toEqual({ ok: 1 })
    expect(t.sandbox.charges()).toBe(12)
  },
)

test.each([
  ['null', 'everything', 'ok'],
  ['null', null, 'unknown_outcome'],
  ['own', null, 'ok'],
] as const)(
  'a last call that never arrived: list with figures "%s", stated %s, ends as %s',
  async (figures, shows, end) => {
    const faults = [{ operation: 'generate' as const, fault: 'closedBefore' as const, nth: 4 }]
    const config = { ...patient, purchases: { listLag: '1ms' }, registry: { list: shows && { shows } } }
    await using t = await setup({ config, sandbox: { scenario: { world: { list: { figures } }, faults } } })
    await t.finished(await t.submit(csvOf(cpfs(3))))

    expect(await statesOf(t.sql, (await t.finished(await t.submit(csvOf(cpfs(1, 100))))).id)).toEqual({ [end]: 1 })
    expect(t.sandbox.charges()).toBe(end === 'ok' ? 4 : 3)
  },
)

test.each([
  ['null', 'none', 7001],
  ['own', 'none', 7001],
  ['own', 'marked', 7002],
] as const)(
  'parks what a page of ten purchases cannot prove, though they are of nine documents (limit %s, others %s)',
  async (figures, foreign, organizationId) => {
    const ageMs = 60 * 86_400_000
    const old = [
      { documents: cpfs(1), ageMs },
      { documents: cpfs(8, 300), ageMs, organizationId },
    ]
    const list = { page: 10, of: 'analyses', keep: 'oldest', total: 'page', figures, foreign } as const
    const faults = [{ operation: 'generate' as const, fault: 'closedAfter' as const, nth: 2 }]
    const config = { request: { timeout: '500ms', retries: 0 }, purchases: { listLag: '1ms' } }
    await using t = await setup({ config, sandbox: { scenario: { world: { others: old, list }, faults } } })
    expect(await statesOf(t.sql, (await t.finished(await t.submit(csvOf(cpfs(1))))).id)).toEqual({ ok: 1 })
    const batch = await t.finished(await t.submit(csvOf(cpfs(1, 100))))

    expect(await statesOf(t.sql, batch.id)).toEqual({ unknown_outcome: 1 })
    expect(t.sandbox.charges()).toBe(2)
  },
)

test('parks what a list cannot prove that shows nothing of what was bought since', async () => {
  const config = { request: { timeout: '500ms', retries: 0 }, purchases: { listLag: '2s' } }
  const scenario = { world: { list: { lagMs: 3_600_000 } }, faults: lost(4) }
  await using t = await setup({ config, sandbox: { scenario } })
  const ids = [await t.submit(csvOf(cpfs(4)))]
  await until(async () => (await t.sql`select from vigia.lookup where unlisted_at is not null`).length === 4)
  ids.push(await t.submit(csvOf(cpfs(3, 100))))
  const states = await Promise.all(ids.map(async (id) => statesOf(t.sql, (await t.finished(id)).id)))

  expect(states).toEqual([{ unknown_outcome: 4 }, { ok: 3 }])
  expect(t.sandbox.charges()).toBe(7)
})

test('counts freshness from its own purchase, whatever date the answer carries', async () => {
  const world = { answers: { ageDays: 40 } }
  await using t = await setup({ sandbox: { scenario: { world } } })
  for (const comment of ['', '\n', '\n\n']) {
    const batch = await t.finished(await t.submit(`${csvOf(cpfs(3))}${comment}`))
    expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 3 })
  }
  expect(t.sandbox.charges()).toBe(3)
})

test.each(['microseconds', 'zero'] as const)(
  'an answer dated in %s harms neither itself nor its neighbours',
  async (createdAt) => {
    await using t = await setup({ sandbox: { scenario: { world: { answers: { createdAt } } } } })
    const batch = await t.finished(await t.submit(csvOf(cpfs(20))))
    expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 20 })
    expect(t.sandbox.charges()).toBe(20)
  },
)

test('adopts what the organization bought elsewhere, and says so', async () => {
  const others = [
    { documents: cpfs(4), ageMs: 86_400_000 },
    { documents: [cpf(5)], ageMs: 40 * 86_400_000 },
    { documents: [cpf(6)], ageMs: 86_400_000, deleted: true },
    { documents: [cpf(7)], ageMs: 86_400_000, organizationId: 7002 },
  ]
  await using t = await setup({ sandbox: { scenario: { world: { others, list: { foreign: 'marked' } } } } })
  const batch = await t.finished(await t.submit(csvOf(cpfs(10))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 10 })
  expect(t.sandbox.charges()).toBe(6)
  expect(batch).toMatchObject({ spent: 6, toBePaid: 6, adopted: 4 })
  const report = await readFile(join(t.home, 'outbox', `people.${batch.id}`, 'people.report.csv'), 'utf8')
  const adopted = report.split(/\r?\n/).filter((line) => line.includes('já comprada fora do Vigia'))
  expect(adopted).toHaveLength(4)
  for (const line of adopted) expect(line).toMatch(/;ok;"?já comprada fora do Vigia, \d{4}-[^;]+;no;/)
})

test('buys again what was bought elsewhere where the settings say so', async () => {
  const others = [{ documents: cpfs(4), ageMs: 86_400_000 }]
  await using t = await setup({
    config: { purchases: { listLag: '200ms', adopt: false } },
    sandbox: { scenario: { world: { others } } },
  })
  await t.finished(await t.submit(csvOf(cpfs(4))))
  expect(t.sandbox.charges()).toBe(4)
})

test('adopts the latest licence that the organization has, instead of requesting it again', async () => {
  await using t = await setup()
  for (const document of cpfs(3)) t.sandbox.alreadyRequested(document)
  const before = t.sandbox.charges()
  await t.finished(await t.submit(csvOf(cpfs(5)), { kind: 'cnh' }))
  expect(t.sandbox.charges() - before).toBe(2)
})

test.each([
  ['parks', 'once it has denied one that was requested', true, 'closedAfter', 'unknown_outcome'],
  ['requests again', 'where it shows one that found nothing', false, 'closedBefore', 'timed_out'],
] as const)('%s a licence that the registry denies, %s', async (_, _when, hidesAbsentCnh, fault, end) => {
  const faults = [{ operation: 'cnhCreate' as const, fault, nth: 2 }]
  const polling = { first: '20ms', max: '200ms', deadline: '12s' }
  await using t = await setup({ config: { ...patient, polling }, sandbox: { scenario: { hidesAbsentCnh, faults } } })
  const [known, lost] = cpfs(60).filter((document) => !hasLicence(document, 1))
  const statesOfOne = async (document: string) =>
    statesOf(t.sql, (await t.finished(await t.submit(csvOf([document]), { kind: 'cnh' }))).id)

  expect(await statesOfOne(known!)).toEqual({ [hidesAbsentCnh ? 'not_found' : 'timed_out']: 1 })
  expect(await statesOfOne(lost!)).toEqual({ [end]: 1 })
  expect(t.sandbox.charges()).toBe(2)
})

test('parks a licence that the registry denies, where it denies others that are still under way', async () => {
  const faults = [{ operation: 'cnhCreate' as const, fault: 'closedAfter' as const, nth: 2 }]
  const scenario = { readyAfterMs: 3_600_000, hidesPendingCnh: true, faults }
  await using t = await setup({ config: patient, sandbox: { scenario } })
  const id = await t.submit(csvOf(cpfs(3)), { kind: 'cnh' })
  await until(async () => {
    const { waiting = 0, unknown_outcome: parked = 0 } = await statesOf(t.sql, id)
    return waiting + parked === 3
  })
  expect(await statesOf(t.sql, id)).toEqual({ unknown_outcome: 1, waiting: 2 })
  expect(t.sandbox.charges()).toBe(3)
})

test('a radar list that is cut short adds nobody who is monitored already', async () => {
  await using t = await setup({
    config: {
      radarSweep: { refresh: 'processes', analysisEvery: null },
      polling: { first: '20ms', max: '100ms', deadline: '1h', radar: { deadline: '3s' } },
    },
  })
  for (const code of cpfs(6)) t.sandbox.plantRadar({ code })
  await sweepRadars(t)
  t.sandbox.setScenario({ radars: { limit: 2 } })

  const id = await t.submit(csvOf(cpfs(6)), { kind: 'radar' })
  await t.finished(id)

  expect(await addedRadars(t)).toBe(0)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 2, failed: 4 })
})

const addedRadars = async ({ sandbox }: Setup): Promise<number> =>
  sandbox.ledger.requests.filter(({ operation }) => operation === 'radarAdd').length

test('a call with an unknown outcome of an organization that left the settings is parked at its deadline', async () => {
  await using t = await setup()
  await t.finished(await t.submit(csvOf([cpf(0)])))
  await t.sql`
    update vigia.lookup set organization_id = 9, state = 'sending', charged = 'unknown', remote_id = null, finished_at = null,
           due_at = now() - interval '2 hours', sending_at = now() - interval '3 hours',
           deadline_at = now() - interval '2 hours', as_of = null`
  await t.sql`delete from vigia.answer`
  await expireOverdue(t.running.engine)
  expect(await t.sql`select state, charged from vigia.lookup`).toMatchObject([
    { state: 'unknown_outcome', charged: 'unknown' },
  ])
})
