import { expect, test } from 'vitest'
import { cancelBatch, pauseBatch, resumeBatch } from '../../src/batches/pause-resume-cancel.ts'
import { type Resolution, type Resolving, resolveLookup, resolveRow } from '../../src/batches/resolve.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { countsOf, recount } from '../../src/store/batches/counts.ts'
import { listAllParked, listParked } from '../../src/store/lookups/parked-rows.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { type Ground, setupGround } from './ground.ts'

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
const played = async (t: Ground) => {
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

const standing = async (t: Ground, id: bigint) => {
  const { state, finishedAt, exportedAt } = (await readBatch(t.sql, id))!
  return { state, over: finishedAt !== null, reported: exportedAt !== null }
}

const lookupAt = async (t: Ground, id: bigint) => {
  const [row] = await t.sql`select state, batch_id as payer from vigia.lookup where id = ${id}`
  return row
}

test.each<[string, Resolution]>([
  ['sent again', 'resend'],
  ['adopted', { adopt: remote.id }],
  ['let go', 'drop'],
])('a row that its batch left is not %s: the refusal names the look-up that is', async (_, text) => {
  await using t = await setupGround()
  const { left, asking, lookup } = await played(t)

  await expect(resolveRow(t.sql, left, { line: 3 }, text, resolving)).rejects.toThrow(
    `Line 3 of batch ${left} was transferred to another batch when its own was cancelled: 'vigia resolve --lookup ${lookup}' settles it there`,
  )
  expect(await lookupAt(t, lookup)).toEqual({ state: 'unknown_outcome', payer: asking })
  expect(await standing(t, left)).toEqual({ state: 'cancelled', over: true, reported: true })
  expect(await listParked(t.sql, left, 10)).toEqual([])
  expect(await listAllParked(t.sql, 10)).toMatchObject([{ lookupId: lookup, batchId: asking, line: 2 }])
})

test('a left row is cancelled once the other batch settled it, whatever its look-up came to', async () => {
  await using t = await setupGround()
  const { left, lookup } = await played(t)
  await t.sql`update vigia.lookup set state = 'failed', charged = 'no' where id = ${lookup}`

  await expect(resolveRow(t.sql, left, { line: 3 }, 'drop', resolving)).rejects.toThrow('is cancelled, not parked')
})

test.each<[string, Resolution, string]>([
  ['sent again', 'resend', 'queued'],
  ['adopted', { adopt: remote.id }, 'waiting'],
])('by its number it is %s for the batch that waits, and the one that left it stays over', async (_, text, state) => {
  await using t = await setupGround()
  const { left, asking, lookup } = await played(t)

  await resolveLookup(t.sql, lookup, text, resolving)

  expect(await lookupAt(t, lookup)).toEqual({ state, payer: asking })
  expect(await standing(t, asking)).toEqual({ state: 'running', over: false, reported: false })
  expect(await countsOf(t.sql, asking)).toEqual({})
  expect(await standing(t, left)).toEqual({ state: 'cancelled', over: true, reported: true })
})

test('a look-up that is dropped by its number ends the row of the batch that waits', async () => {
  await using t = await setupGround()
  const { left, asking, lookup } = await played(t)

  await resolveLookup(t.sql, lookup, 'drop', resolving)

  expect(await countsOf(t.sql, asking)).toEqual({ cancelled: 1 })
  expect(await standing(t, asking)).toEqual({ state: 'done', over: true, reported: false })
  expect(await standing(t, left)).toEqual({ state: 'cancelled', over: true, reported: true })
})

test('a look-up that an earlier version sent again for a finished batch is taken over by the waiting one once it resumes', async () => {
  await using t = await setupGround()
  const { left, asking, lookup } = await played(t)
  await t.sql`
    update vigia.lookup set state = 'queued', charged = 'no', batch_id = ${left}, sending_at = null, finished_at = null, due_at = now()
     where id = ${lookup}`
  await t.sql`update vigia.batch set state = 'running', finished_at = null, exported_at = null where id = ${asking}`

  await pauseBatch(t.sql, asking, resolving)
  await resumeBatch(t.sql, asking, resolving)

  expect(await lookupAt(t, lookup)).toEqual({ state: 'queued', payer: asking })
})
