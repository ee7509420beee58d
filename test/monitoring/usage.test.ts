import { expect, test } from 'vitest'
import { formatDocument } from '../../src/domain/document.ts'
import { compareUsage } from '../../src/domain/usage-difference.ts'
import { listUsage } from '../../src/views/usage.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { sweepByQueue } from './sweep.ts'

test('usage by the registry is reconciled with our records, with the documents that differ', async () => {
  await using t = await setup()
  await t.finished(await t.submit(csvOf(cpfs(5))))
  t.sandbox.alreadyGenerated(cpf(99))

  const sweep = await sweepByQueue(t, 'usage')

  expect(sweep).toMatchObject({ state: 'done', due: 6, verified: 5, changed: 1 })
  const days = await listUsage(t.sql, { prices: null, unmasked: true })
  expect(days.reduce((sum, { told }) => sum + told, 0)).toBe(6)
  expect(days.reduce((sum, { recorded }) => sum + recorded, 0)).toBe(5)
  expect(days.flatMap(({ differing }) => differing)).toMatchObject([
    { document: formatDocument(cpf(99)), because: 'bought outside Vigia, or before its records begin' },
  ])
})

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)
const at = (day: number) => new Date(Date.UTC(2026, 0, day, 23, 59))

test('a purchase around midnight has the same day at the registry and in our records', () => {
  const listed = [{ id: '1', document: 'A', createdAt: at(2) }]
  const recorded = [{ id: '1', document: 'A', at: at(1), charged: 'yes' as const }]
  expect(compareUsage(listed, recorded, { complete: true, dayOf })).toEqual([
    { day: '2026-01-02', reported: 1, recorded: 1, differing: [] },
  ])
})

test('each difference has a reason', () => {
  const recorded = [
    { id: '1', document: 'A', at: at(1), charged: 'yes' as const },
    { id: null, document: 'B', at: at(1), charged: 'unknown' as const },
  ]
  const [day] = compareUsage([], recorded, { complete: false, dayOf })
  expect(day).toMatchObject({ reported: 0, recorded: 1 })
  expect(day!.differing.map(({ because }) => because)).toEqual([
    'not in the list, which is not complete',
    'its answer was lost, and its outcome is still unknown',
  ])
})
