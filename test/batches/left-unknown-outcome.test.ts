import { expect, test } from 'vitest'
import { cancelBatch, pauseBatch, resumeBatch } from '../../src/batches/pause-resume-cancel.ts'
import { type Resolution, type Resolving, resolveLookup, resolveRow } from '../../src/batches/resolve.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { countsOf, recount } from '../../src/store/batches/counts.ts'
import { listAllParked, readParkedRows } from '../../src/views/parked.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { sharedGround } from './ground.ts'

const t = sharedGround()

const remote = { id: '9000042', key: null }

const resolving: Resolving = {
  by: 'ana',
  now: new Date(),
  deadlineMs: 3_600_000,
  finished: async () => {},
  today: () => '2026-11-18',
  purchases: async () => [remote],
}

/** A cancelled batch that left its second row to another batch, whose call about it was lost. */
const played = async () => {
  const { id: left } = await t.imported(csvOf([cpf(1), cpf(2)]))
  const { id: asking } = await t.imported(csvOf([cpf(2)]))
  await cancelBatch(t.sql, left, resolving)
  const [lookup] = await t.sql<{ id: bigint }[]>`
    update vigia.lookup
       set state = 'unknown_outcome', charged = 'unknown', sending_at = now(), finished_at = now(), due_at = null
     where question = ${cpf(2)}
    returning id`
  await recount(t.sql, asking, new Date())
  await t.sql`update vigia.batch set exported_at = now(), spent = 1`
  expect(await readBatch(t.sql, asking)).toMatchObject({ state: 'done' })
  return { left, asking, lookup: lookup!.id }
}

const standing = async (id: bigint) => {
  const { state, finishedAt, exportedAt } = (await readBatch(t.sql, id))!
  return { state, over: finishedAt !== null, reported: exportedAt !== null }
}

const leftAsItWas = { state: 'cancelled', over: true, reported: true }

const lookupAt = async (id: bigint) =>
  (await t.sql`select state, batch_id as payer from vigia.lookup where id = ${id}`)[0]

test('a row that its batch left is not settled there, however: the refusal names the look-up that is', async () => {
  const { left, asking, lookup } = await played()
  for (const resolution of ['resend', { adopt: remote.id }, 'drop'] satisfies Resolution[])
    await expect(resolveRow(t.sql, left, { line: 3 }, resolution, resolving)).rejects.toThrow(
      `Line 3 of batch ${left} was transferred to another batch when its own was cancelled: 'vigia resolve --lookup ${lookup}' settles it there`,
    )
  expect(await lookupAt(lookup)).toEqual({ state: 'unknown_outcome', payer: asking })
  expect(await standing(left)).toEqual(leftAsItWas)
  expect(await readParkedRows(t.sql, left, [], 10)).toEqual([])
  expect(await listAllParked(t.sql, 10)).toMatchObject([{ lookup, batch: asking, line: 2 }])

  await t.sql`update vigia.lookup set state = 'failed', charged = 'no' where id = ${lookup}`
  await expect(resolveRow(t.sql, left, { line: 3 }, 'drop', resolving)).rejects.toThrow('is cancelled, not parked')
})

test.each<[string, Resolution, string, object, object]>([
  ['sent again', 'resend', 'queued', {}, { state: 'running', over: false, reported: false }],
  ['adopted', { adopt: remote.id }, 'waiting', {}, { state: 'running', over: false, reported: false }],
  ['dropped', 'drop', 'cancelled', { cancelled: 1 }, { state: 'done', over: true, reported: false }],
])('by its number it is %s for the batch that waits, and the one that left it stays over', async (...row) => {
  const [, resolution, state, counts, waiting] = row
  const { left, asking, lookup } = await played()

  await resolveLookup(t.sql, lookup, resolution, resolving)

  expect(await lookupAt(lookup)).toEqual({ state, payer: asking })
  expect(await countsOf(t.sql, asking)).toEqual(counts)
  expect(await standing(asking)).toEqual(waiting)
  expect(await standing(left)).toEqual(leftAsItWas)
})

test('a look-up that an earlier version sent again for a finished batch is taken over by the waiting one once it resumes', async () => {
  const { left, asking, lookup } = await played()
  await t.sql`
    update vigia.lookup set state = 'queued', charged = 'no', batch_id = ${left}, sending_at = null, finished_at = null, due_at = now()
     where id = ${lookup}`
  await t.sql`update vigia.batch set state = 'running', finished_at = null, exported_at = null where id = ${asking}`

  await pauseBatch(t.sql, asking, resolving)
  await resumeBatch(t.sql, asking, resolving)

  expect(await lookupAt(lookup)).toEqual({ state: 'queued', payer: asking })
})
