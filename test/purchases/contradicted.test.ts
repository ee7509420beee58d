import { expect, test } from 'vitest'
import { listContradictions, readFigures } from '../../src/views/usage.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'

const day = 86_400_000
const shown = { limit: 10, freshMs: 30 * day }

/** A colleague's purchase of the first document, which the list hides. */
const hidden = (ageMs: number) => ({
  world: { others: [{ documents: [cpf(1)], ageMs }], list: { lagMs: 400 * day } },
})

test('a purchase that names an owned analysis is recorded, and the list is read again before the lane buys more', async () => {
  await using t = await setup({ sandbox: { scenario: hidden(day) } })
  await t.finished(await t.submit(csvOf([cpf(1)])))

  expect(await listContradictions(t.sql, shown)).toMatchObject([
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
  expect(await listContradictions(t.sql, shown)).toEqual([])
})
