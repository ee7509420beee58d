import { expect, test } from 'vitest'
import { cancelBatch, confirmBatch, resumeBatch, type Steering } from '../../src/batches/pause-resume-cancel.ts'
import { resolveRow } from '../../src/batches/resolve.ts'
import { affordableRetry, quoteRetry, type Retry, retryBatch } from '../../src/batches/retry.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { lockRetries } from '../../src/store/batches/retry.ts'
import { beginListRead } from '../../src/store/purchases/list-snapshots.ts'
import { recordPurchases } from '../../src/store/purchases/purchases.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { sharedGround } from './ground.ts'

const t = sharedGround()

const steering: Steering = { by: 'ana', now: new Date(), deadlineMs: 3_600_000, finished: async () => {} }
const retry: Retry = { ...steering, states: ['failed'], freshSince: new Date(0), adopts: true }

/** All look-ups have failed, or those of a document. */
const fail = (document?: string) => t.sql`
  update vigia.lookup set state = 'failed', finished_at = now(), due_at = null
   where ${document ?? null}::text is null or question = ${document ?? null}`

const queued = () => t.sql`select from vigia.lookup where state = 'queued'`

test('a retry with a new limit quotes what that limit frees too, and needs approval for all of it', async () => {
  const batch = await t.imported(csvOf(cpfs(6)), { maxSpend: 2, confirmAbove: 3 })
  await fail(cpf(0))
  const more = { ...retry, maxSpend: 6 }

  const quote = await quoteRetry(t.sql, batch.id, more)
  expect(quote).toMatchObject({ rows: 1, toBePaid: 1, freed: 3 })
  expect(affordableRetry(quote, batch, more)).toBe(4)
  expect(await quoteRetry(t.sql, batch.id, retry)).toMatchObject({ toBePaid: 1, freed: 0 })
  const none = { ...more, states: ['denied'] as const }
  expect(await quoteRetry(t.sql, batch.id, none)).toMatchObject({ rows: 0, toBePaid: 0, freed: 0 })
  await expect(retryBatch(t.sql, batch.id, { ...more, atMost: 1 })).rejects.toThrow('would now cost 4, but 1')
  expect(await readBatch(t.sql, batch.id)).toMatchObject({ maxSpend: 2 })
  expect(await retryBatch(t.sql, batch.id, { ...more, atMost: 4 })).toBe(1)
  expect(await readBatch(t.sql, batch.id)).toMatchObject({ maxSpend: 6, state: 'running', toBePaid: 6 })
})

test('a retry without cost needs no approval', async () => {
  const { id } = await t.imported(csvOf(cpfs(3)), { kind: 'processes' })
  await fail()
  expect(await quoteRetry(t.sql, id, retry)).toMatchObject({ rows: 3, toBePaid: 0, freed: 0 })
  expect(await retryBatch(t.sql, id, { ...retry, atMost: 0 })).toBe(3)
})

test('batches without approval pass on to each other what a third one left, and wait', async () => {
  const first = await t.imported(csvOf(cpfs(4)))
  const free = await t.imported(`cpf\n${cpfs(4).join('\n')}\n`, { confirmAbove: 0 })
  const alike = await t.imported(`CPF\n${cpfs(4).join('\n')}\n`, { confirmAbove: 0 })
  expect([free.toBePaid, alike.toBePaid]).toEqual([0, 0])
  await cancelBatch(t.sql, first.id, steering)
  const after = [await readBatch(t.sql, free.id), await readBatch(t.sql, alike.id)]
  expect(after.map((batch) => batch!.state)).toEqual(['unconfirmed', 'unconfirmed'])
  expect(after.reduce((sum, batch) => sum + batch!.toBePaid, 0)).toBe(4)
})

test('rows that lost their answer after a retry was quoted are not covered by its approval', async () => {
  const { id } = await t.imported(csvOf(cpfs(6)))
  await fail()
  await expect(retryBatch(t.sql, id, { ...retry, atMost: 2 })).rejects.toThrow('would now cost 6, but 2')
  expect(await queued()).toHaveLength(0)
})

test('an approval covers the cost that was shown, whatever the batch inherits meanwhile', async () => {
  const first = await t.imported(csvOf(cpfs(5)))
  const careful = await t.imported(csvOf(cpfs(7)), { confirmAbove: 1 })
  expect(careful).toMatchObject({ state: 'unconfirmed', toBePaid: 2 })
  await cancelBatch(t.sql, first.id, steering)

  await expect(confirmBatch(t.sql, careful.id, { ...steering, atMost: 2 })).rejects.toThrow('would now cost 7')
  expect(await readBatch(t.sql, careful.id)).toMatchObject({ state: 'unconfirmed', startedAt: null })
  await confirmBatch(t.sql, careful.id, { ...steering, atMost: 7 })
  expect(await readBatch(t.sql, careful.id)).toMatchObject({ state: 'running' })
})

test('sending a row again does not approve a batch that needs approval, and one that may pay pays meanwhile', async () => {
  const running = await t.imported(csvOf(cpfs(1)))
  await t.sql`
    update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', sending_at = now(), finished_at = now(), due_at = null`
  await t.sql`update vigia.batch set spent = 1`
  const careful = await t.imported(csvOf(cpfs(5)), { confirmAbove: 1 })
  expect(careful).toMatchObject({ state: 'unconfirmed', toBePaid: 4 })

  const resolving = { ...steering, today: () => '2026-11-18', purchases: async () => [] }
  await t.sql`update vigia.batch set paused_at = now() where id = ${running.id}`
  await resolveRow(t.sql, careful.id, { line: 2 }, 'resend', resolving)
  expect(await readBatch(t.sql, careful.id)).toMatchObject({ state: 'unconfirmed', toBePaid: 5 })
  expect(await readBatch(t.sql, running.id)).toMatchObject({ toBePaid: 0, spent: 0 })

  await resumeBatch(t.sql, running.id, steering)
  expect(await readBatch(t.sql, careful.id)).toMatchObject({ state: 'unconfirmed', toBePaid: 4 })
  expect(await readBatch(t.sql, running.id)).toMatchObject({ toBePaid: 1 })
})

/** A retry that another retry keeps waiting, while something else happens to the batch. */
const whileItWaits = async (id: bigint, retry: Retry, happens: () => PromiseLike<unknown>) => {
  let retried: Promise<unknown> = Promise.resolve()
  const waiting = () => t.sql`
    select from pg_locks
     where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`
  await t.sql.begin(async (tx) => {
    await lockRetries(tx, id)
    retried = retryBatch(t.sql, id, retry).catch((error: Error) => error.message)
    await until(async () => (await waiting()).length > 0)
    await happens()
  })
  return retried
}

test('a retry that had to wait heeds that the batch came to need approval meanwhile', async () => {
  const { id } = await t.imported(csvOf(cpfs(3)))
  await fail()
  const retried = await whileItWaits(id, retry, () => t.sql`update vigia.batch set state = 'unconfirmed'`)
  expect(retried).toContain(`Batch ${id} is unconfirmed`)
  expect(await queued()).toHaveLength(0)
})

test('what a new limit frees depends on the limit that the batch has by then', async () => {
  const { id } = await t.imported(csvOf(cpfs(6)))
  await fail(cpf(0))
  const more = { ...retry, maxSpend: 9, atMost: 1 }
  const retried = await whileItWaits(id, more, () => t.sql`update vigia.batch set max_spend = 0`)
  expect(retried).toContain('would now cost 6, but 1')
})

test('purchases for other rows do not make a retry cheaper', async () => {
  const { id } = await t.imported(csvOf(cpfs(2)))
  await fail(cpf(0))
  const lane = { organizationId: accounts[0].organizationId, kind: 'analysis' as const }
  const readAs = await beginListRead(t.sql, lane)
  const bought = { id: '17', document: cpf(1), key: null, status: null, deleted: false }
  await recordPurchases(t.sql, lane, readAs.id, [{ ...bought, dated: null, datedFrom: null, datedTo: null }])
  expect(await quoteRetry(t.sql, id, retry)).toMatchObject({ rows: 1, toBePaid: 1 })
  await expect(retryBatch(t.sql, id, { ...retry, atMost: 0 })).rejects.toThrow('would now cost 1')
  expect(await retryBatch(t.sql, id, { ...retry, atMost: 1 })).toBe(1)
})
