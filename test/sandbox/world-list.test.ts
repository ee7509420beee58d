import { expect, test } from 'vitest'
import type { WorldPatch } from '../../src/sandbox/world.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { setup } from './ask.ts'

type List = NonNullable<WorldPatch['list']>

/** Five documents bought one after the other. */
const five = async (list: List = {}) => {
  const t = await setup({ scenario: { world: { list } } })
  for (const document of cpfs(5)) {
    t.clock.at += 1_000
    await t.generate(document)
  }
  const documents = async () => (await t.activities()).body.result.map((item) => cpfs(9).indexOf(item.documentNumber))
  return { ...t, documents }
}

test('shows one page: the newest, the oldest, or any', async () => {
  await using t = await five({ page: 2 })
  expect(await t.documents()).toEqual([4, 3])
  t.sandbox.setScenario({ world: { list: { page: 2, keep: 'oldest' } } })
  expect(await t.documents()).toEqual([1, 0])
  t.sandbox.setScenario({ world: { list: { page: 2, keep: 'any' } } })
  const seen = new Set<number>()
  for (let read = 0; read < 20; read++) for (const document of await t.documents()) seen.add(document)
  expect(seen.size).toBe(5)
})

test('shows one page of analyses, and only the part of an item that is on it', async () => {
  await using t = await five({ page: 3, of: 'analyses' })
  t.clock.at += 1_000
  await t.generate(cpf(0))
  const consumed = async () => (await t.activities()).body.result.map((item) => item.consume)
  expect([await t.documents(), await consumed()]).toEqual([
    [4, 3, 0],
    [1, 1, 1],
  ])
  t.sandbox.setScenario({ world: { list: { page: 3, of: 'analyses', by: 'last' } } })
  expect(await t.documents()).toEqual([0, 4, 3])
  t.sandbox.setScenario({ world: { list: { page: 6, of: 'analyses' } } })
  expect(await consumed()).toEqual([1, 1, 1, 1, 2])
})

test.each([
  [{}, { total: 5, from: 0, to: 5, limit: 10_000 }],
  [{ page: 2 }, { total: 5, from: 0, to: 2, limit: 2 }],
  [
    { page: 2, total: 'page' },
    { total: 2, from: 0, to: 2, limit: 2 },
  ],
  [
    { page: 9, figures: 'own' },
    { total: 5, from: 0, to: 5, limit: 9 },
  ],
  [
    { page: 9, figures: 'length' },
    { total: 5, from: 0, to: 5, limit: 5 },
  ],
  [
    { page: 9, figures: 'analyses' },
    { total: 5, from: 0, to: 5, limit: 5 },
  ],
  [{ figures: 'zero' }, { total: 5, from: 0, to: 0, limit: 0 }],
  [{ figures: 'null' }, { total: 5, from: null, to: null, limit: null }],
] as [List, object][])('counts a list of %j as %j', async (list, figures) => {
  await using t = await five(list)
  expect((await t.activities()).body).toMatchObject(figures)
})

test('a page of all there is and a page of the first ones are the same bytes where no limit is named', async () => {
  await using complete = await five({ figures: 'null' })
  await using cut = await five({ figures: 'null', page: 5, keep: 'oldest', total: 'page' })
  cut.clock.at += 1_000
  await cut.generate(cpf(6))
  complete.clock.at += 1_000
  expect(JSON.stringify((await cut.activities()).body)).toBe(JSON.stringify((await complete.activities()).body))
})

test('orders its items newest first, oldest first, or anew for each answer', async () => {
  await using t = await five()
  expect(await t.documents()).toEqual([4, 3, 2, 1, 0])
  t.sandbox.setScenario({ world: { list: { order: 'oldest' } } })
  expect(await t.documents()).toEqual([0, 1, 2, 3, 4])
  t.sandbox.setScenario({ world: { list: { order: 'shuffled' } } })
  const orders = [await t.documents(), await t.documents(), await t.documents()]
  expect(new Set(orders.map(String)).size).toBeGreaterThan(1)
  for (const order of orders) expect(order.toSorted()).toEqual([0, 1, 2, 3, 4])
})

test('lists one item per analysis where a document has several', async () => {
  await using t = await five({ per: 'analysis' })
  await t.generate(cpf(1))
  const { total, result } = (await t.activities()).body
  expect(total).toBe(6)
  expect(result.filter((item) => item.documentNumber === cpf(1)).map((item) => item.consume)).toEqual([1, 1])
})

test('still lists what was deleted, and says so, or no longer lists it', async () => {
  await using t = await five()
  await t.ask('POST', '/sandbox/deleted', { document: cpf(1) })
  const [id, uniqueId] = [9_000_002, 5_000_002]
  expect((await t.consult(id, uniqueId)).body).toMatchObject({ success: false })
  const item = (await t.activities()).body.result.find(({ documentNumber }) => documentNumber === cpf(1))
  expect(item?.deletedAt).toBe('2026-11-15T12:00:05.000Z')
  t.sandbox.setScenario({ world: { list: { deleted: 'hidden' } } })
  expect(await t.documents()).toEqual([4, 3, 2, 0])
})

test('begins a new item where a deleted document is bought again', async () => {
  await using t = await five()
  t.sandbox.deleteAnalyses(cpf(1))
  await t.generate(cpf(1))
  const items = (await t.activities()).body.result.filter(({ documentNumber }) => documentNumber === cpf(1))
  expect(items.map(({ deletedAt }) => deletedAt !== '')).toEqual([false, true])
})

test('lists an analysis only after the lag: all alike, or each at its own time up to it', async () => {
  await using t = await five({ lagMs: 2_000 })
  expect(await t.documents()).toEqual([2, 1, 0])
  t.sandbox.setScenario({ world: { list: { lagMs: 2_000, lags: 'each' } } })
  const early = await t.documents()
  expect(early).not.toEqual([4, 3, 2, 1, 0])
  expect(early).not.toEqual([2, 1, 0])
  t.clock.at += 2_000
  expect(await t.documents()).toEqual([4, 3, 2, 1, 0])
})

test('leaves some items without any date', async () => {
  await using t = await five({ undated: 0.5 })
  for (const document of cpfs(45).slice(5)) await t.generate(document)
  const { result } = (await t.activities()).body
  const undated = result.filter(({ createdAt }) => createdAt === null)
  expect(undated.length).toBeGreaterThan(10)
  expect(undated.length).toBeLessThan(35)
  expect(undated[0]).toMatchObject({ createdAtDate: null, userPlanConsumeAnalytics: [{ createdAt: null }] })
})

test('gives the identifiers of the list as text', async () => {
  await using t = await five({ ids: 'string' })
  expect((await t.activities()).body.result.at(-1)).toMatchObject({
    userPlanConsumeUniqueId: '5000001',
    userPlanConsumeAnalytics: [{ userPlanConsumeUniqueId: '5000001', userPlanConsumeAnalyticsId: '9000001' }],
  })
})

test('lists what others in the organization bought, each once, and charges it to nobody here', async () => {
  const world = { others: [{ documents: [cpf(7), cpf(0)], ageMs: 3_600_000 }] }
  await using t = await five()
  t.sandbox.setScenario({ world })
  t.sandbox.setScenario({ world })
  const { result } = (await t.activities()).body
  expect(result.map((item) => [cpfs(9).indexOf(item.documentNumber), item.consume])).toContainEqual([7, 1])
  expect(result.find((item) => item.documentNumber === cpf(0))?.consume).toBe(2)
  expect(result.find((item) => item.documentNumber === cpf(7))?.createdAt).toBe('2026-11-15T11:00:05.000Z')
  expect([t.sandbox.charges(), t.sandbox.charges(cpf(7)), t.sandbox.charges(cpf(0))]).toEqual([5, 0, 1])
  expect(t.sandbox.records.chargedBy.get(7001)).toBe(7)
})

test('others have bought from the start where the first scenario says so, and may have deleted it', async () => {
  const others = [{ documents: [cpf(1)] }, { documents: [cpf(2)], deleted: true }]
  await using t = await setup({ scenario: { world: { others } } })
  const { result } = (await t.activities()).body
  expect(result.map(({ documentNumber, deletedAt }) => [documentNumber, deletedAt !== ''])).toEqual([
    [cpf(2), true],
    [cpf(1), false],
  ])
  const [, kept] = result
  const { userPlanConsumeAnalyticsId: id, userPlanConsumeUniqueId } = kept!.userPlanConsumeAnalytics[0]!
  expect((await t.consult(id, userPlanConsumeUniqueId)).body.success).toBe(true)
})

test('mixes in what another organization bought, marked or unmarked', async () => {
  await using t = await five({ foreign: 'unmarked' })
  t.sandbox.alreadyGenerated(cpf(8), t.sandbox.accounts[1])
  expect(await t.documents()).toEqual([8, 4, 3, 2, 1, 0])
  expect((await t.activities()).body.result[0]).not.toHaveProperty('organizationId')
  t.sandbox.setScenario({ world: { list: { foreign: 'marked' } } })
  expect((await t.activities()).body.result[0]).toMatchObject({ documentNumber: cpf(8), organizationId: 7002 })
  expect((await t.activities()).body.result[1]).toMatchObject({ organizationId: 7001 })
})

test('an item is sorted by its first analysis, or by its last', async () => {
  const old = { documents: cpfs(3), ageMs: 86_400_000 }
  await using t = await setup({ scenario: { world: { others: [old], list: { page: 1 } } } })
  await t.generate(cpf(0))
  const shown = async () => (await t.activities()).body.result.map(({ documentNumber }) => documentNumber)
  expect(await shown()).toEqual([cpf(2)])
  t.sandbox.setScenario({ world: { list: { page: 1, by: 'last' } } })
  expect(await shown()).toEqual([cpf(0)])
})
