import { expect, test } from 'vitest'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { isAdoptable } from '../../src/store/purchases/adopt-bought.ts'
import { beginListRead, buyersWaiting } from '../../src/store/purchases/list-snapshots.ts'
import { recordPurchases, unownedPurchases } from '../../src/store/purchases/purchases.ts'
import { listContradictions, readFigures } from '../../src/views/usage.ts'
import { openDatabase } from '../support/database.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const shown = { key: null, dated: null, datedFrom: null, datedTo: null, status: null, deleted: false }

/** A look-up of one organization that owns number 17, and the list of another, which shows a 17 of these documents. */
const listed = async (documents: string[]) => {
  await using t = await openDatabase()
  await t.sql`
    insert into vigia.lookup (organization_id, kind, question, batch_id, deadline_at, state, remote_id)
    overriding system value
    values (1, 'cnh', ${cpf(1)}, 1, now(), 'waiting', '17')`
  const lane = { organizationId: 2, kind: 'cnh' as const }
  const { id } = await beginListRead(t.sql, lane)
  for (const document of documents) await recordPurchases(t.sql, lane, id, [{ ...shown, id: '17', document }])
  const adoptable = await t.sql<{ document: string }[]>`
    select document from vigia.purchase p where ${isAdoptable(t.sql, new Date(0))}`
  const unowned = await unownedPurchases(t.sql, lane, documents)
  return {
    mayBeOthers: [...unowned.values()].flat().map(({ mayBeOthers }) => mayBeOthers),
    adoptable: adoptable.map(({ document }) => document),
  }
}

test('a purchase that has the number of another organization’s, of another document, is not theirs', async () => {
  expect(await listed([cpf(2)])).toEqual({ mayBeOthers: [false], adoptable: [cpf(2)] })
})

test('one of the same document may be theirs: in a list that also shows others’ purchases, or if each organization has its own numbers', async () => {
  expect(await listed([cpf(1)])).toEqual({ mayBeOthers: [true], adoptable: [] })
})

test('a look-up that was refused is no buyer: nothing waits for what it may never buy', async () => {
  await using t = await setup()
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
  await holdLane(t.sql, lane, { cause: 'plan', reason: ['text', 'for a while'], trialAt: null }, new Date())
  await t.submit(csvOf([cpf(1)]))
  await until(async () => (await buyersWaiting(t.sql, lane)).wait)
  await t.running.stop()
  const change = async (attempts: number, reason: string | null) => {
    await t.sql`update vigia.lookup set attempts = ${attempts}, message = '["text"]'::jsonb || to_jsonb(${reason}::text)`
    return buyersWaiting(t.sql, lane)
  }
  expect(await change(0, 'held')).toEqual({ wait: true, areHeld: true })
  expect(await change(1, null)).toEqual({ wait: true, areHeld: true })
  expect(await change(1, 'refused')).toEqual({ wait: false, areHeld: true })
})

const day = 86_400_000
const terms = { limit: 10, freshMs: 30 * day }

/** A colleague's purchase of the first document, which the list hides. */
const hidden = (ageMs: number) => ({
  world: { others: [{ documents: [cpf(1)], ageMs }], list: { lagMs: 400 * day } },
})

test('a purchase that names an owned analysis is recorded, and the list is read again before the lane buys more', async () => {
  await using t = await setup({ sandbox: { scenario: hidden(day) } })
  await t.finished(await t.submit(csvOf([cpf(1)])))

  expect(await listContradictions(t.sql, terms)).toMatchObject([
    { organization: 7001, owned: '9000001', bought: '9000002', document: expect.stringMatching(/^\*{3}/) },
  ])
  expect((await readFigures(t.sql)).contradicted).toBe(1)
  expect(t.logged.join('')).toContain('bought although the organization owned another analysis')

  const before = t.sandbox.ledger.counts.activities
  await t.finished(await t.submit(csvOf([cpf(2)])))
  await t.finished(await t.submit(csvOf([cpf(3)])))
  expect(t.sandbox.ledger.counts.activities - before).toBe(1)
  expect(t.sandbox.charges(cpf(1))).toBe(1)
})

test('an earlier analysis of ours, or one that a list proves older than the freshness window, contradicts nothing', async () => {
  const old = { world: { others: [{ documents: [cpf(1)], ageMs: 60 * day }] } }
  await using t = await setup({ sandbox: { scenario: old }, config: { freshness: { analysis: '30d' } } })
  await t.finished(await t.submit(csvOf([cpf(1), cpf(2)])))
  await t.sql`update vigia.lookup set asked_at = asked_at - interval '40 days', sending_at = sending_at - interval '40 days',
                     finished_at = finished_at - interval '40 days'`
  await t.finished(await t.submit(csvOf([cpf(2)])))
  const rows = await t.sql`select previous_id from vigia.lookup where previous_id is not null`
  expect(rows.length).toBeGreaterThanOrEqual(1)
  expect(await listContradictions(t.sql, terms)).toEqual([])
})
