import { expect, test } from 'vitest'
import type { WorldPatch } from '../../src/sandbox/world.ts'
import { cpf } from '../support/documents.ts'
import { setup } from './ask.ts'

/** Bought at 02:30 UTC: still the day before in São Paulo and Manaus, and that day already in UTC. */
const at = Date.UTC(2026, 10, 15, 2, 30)

const under = async (world: WorldPatch) => {
  const t = await setup({ scenario: { world } })
  t.clock.at = at
  return { ...t, ...(await t.analyze(cpf(1))) }
}

type Dates = NonNullable<WorldPatch['dates']>
const shapes: [NonNullable<Dates['shape']>, NonNullable<Dates['zone']>, unknown][] = [
  ['own', 'America/Manaus', '2026-11-15T02:30:00.000Z'],
  ['zoned', 'America/Manaus', '2026-11-15T02:30:00.000Z'],
  ['zoneless', 'America/Sao_Paulo', '2026-11-14T23:30:00'],
  ['zoneless', 'America/Manaus', '2026-11-14T22:30:00'],
  ['zoneless', 'America/Noronha', '2026-11-15T00:30:00'],
  ['zoneless', 'UTC', '2026-11-15T02:30:00'],
  ['epoch', 'UTC', at],
  ['brazilian', 'America/Sao_Paulo', '14/11/2026 23:30:00'],
  ['brazilian', 'UTC', '15/11/2026 02:30:00'],
  ['day', 'America/Sao_Paulo', '2026-11-14'],
  ['brazilianDay', 'America/Noronha', '15/11/2026'],
  ['none', 'UTC', undefined],
]

test.each(shapes)('writes dates %s in %s, in the list and in answers', async (shape, zone, written) => {
  await using t = await under({ dates: { shape, zone } })
  const [item] = (await t.activities()).body.result
  expect(item?.createdAt).toBe(written)
  expect(item?.userPlanConsumeAnalytics[0]?.createdAt).toBe(written)
  expect(t.result.createdAt).toBe(written)
  expect((await t.cnhCreate(cpf(1))).body.createdAt).toBe(written)
})

test('keeps the shapes of the interface in another zone by default', async () => {
  await using t = await under({ dates: { zone: 'America/Manaus' } })
  expect((await t.consult()).createdAt).toBe('14/11/2026 22:30:00')
  await t.radarAdd(cpf(1))
  const [link] = (await t.radarList()).body
  expect([link?.createdAt, link?.radar.preProcessedAt]).toEqual([at, '2026-11-14T22:30:00'])
})

test.each([
  ['slow', -180_000, '2026-11-15T02:27:00.000Z'],
  ['fast', 180_000, '2026-11-15T02:33:00.000Z'],
])('dates by a clock that is three minutes %s', async (_, clockMs, written) => {
  await using t = await under({ dates: { clockMs } })
  const [item] = (await t.activities()).body.result
  expect(item).toMatchObject({ createdAt: written, createdAtDate: at + clockMs })
  expect(t.result.createdAt).toBe(written)
})

test('dates by three clocks that are a minute apart, and never changes a date', async () => {
  await using t = await setup({ scenario: { world: { dates: { apartMs: 60_000 } } } })
  const started = t.clock.at
  const datesOf = async () => (await t.activities()).body.result.map(({ createdAtDate }) => createdAtDate - started)
  for (let n = 0; n < 20; n++) {
    t.clock.at += 1
    await t.generate(cpf(n))
  }
  const dates = await datesOf()
  expect(new Set(dates.map((away) => Math.round(away / 60_000)))).toEqual(new Set([-1, 0, 1]))
  expect(await datesOf()).toEqual(dates)
})

test('shows no time anywhere if it writes only days, or nothing', async () => {
  await using t = await under({ dates: { shape: 'day' } })
  const midnight = Date.UTC(2026, 10, 14, 3)
  expect((await t.activities()).body.result[0]?.createdAtDate).toBe(midnight)
  t.sandbox.setScenario({ world: { dates: { shape: 'none' } } })
  expect((await t.activities()).body.result[0]).not.toHaveProperty('createdAtDate')
})

test.each([
  ['microseconds', at * 1_000],
  ['zero', '01/01/0000 00:00:00'],
  ['missing', undefined],
  ['null', null],
] as const)('answers with a createdAt that is %s, while the list is dated as ever', async (createdAt, written) => {
  await using t = await under({ answers: { createdAt } })
  expect(t.result.createdAt).toBe(written)
  expect((await t.consult()).createdAt).toBe(written)
  expect((await t.cnhCreate(cpf(1))).body.createdAt).toBe(written)
  expect((await t.activities()).body.result[0]?.createdAt).toBe('2026-11-15T02:30:00.000Z')
})

test('dates its answers forty days back', async () => {
  await using t = await under({ answers: { ageDays: 40 } })
  expect(t.result.createdAt).toBe('2026-10-06T02:30:00.000Z')
  expect((await t.consult()).createdAt).toBe('05/10/2026 23:30:00')
})

test('may name unfinished statuses differently, and says DONE for finished ones', async () => {
  const statusNames = { created: 'criado', initial: 'NAO_INICIADO', pending: 'na fila', processing: 'EM_PROCESSAMENTO' }
  await using t = await setup({ readyAfterMs: 1_000, scenario: { world: { words: statusNames } } })
  const created = (await t.generate(cpf(1))).body
  const { userPlanConsumeAnalyticsId: id, userPlanConsumeUniqueId: uniqueId } = created.result
  expect(created.status).toBe('criado')
  expect((await t.consult(id, uniqueId)).body.register).toMatchObject({
    status: 'EM_PROCESSAMENTO',
    statusIndex: 'EM_PROCESSAMENTO',
    statusReport: 'NAO_INICIADO',
    statusProtest: 'NAO_INICIADO',
  })
  expect((await t.cnhCreate(cpf(1))).body.status).toBe('na fila')
  t.clock.at += 1_000
  expect((await t.consult(id, uniqueId)).body.register).toMatchObject({ status: 'DONE', statusProtest: 'DONE' })
})

test.each([200, 400, 422, 500])('refuses with code %i, and the body says why', async (errorStatus) => {
  await using t = await setup({ scenario: { world: { errorStatus } } })
  const refused = await t.scr('12345678900')
  expect([refused.status, refused.body.status]).toEqual([errorStatus, 'INVALID_DOCUMENT'])
  expect((await t.generate(cpf(1))).status).toBe(201)
  expect((await t.cnhLatest(cpf(1))).status).toBe(404)
})
