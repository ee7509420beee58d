import { expect, test } from 'vitest'
import { openRequests, type Quote, quoteFile } from '../../src/batches/quote.ts'
import { costsAnew } from '../../src/cli/files/quote.ts'
import type { Kind } from '../../src/domain/kind.ts'
import { countOwnQueued } from '../../src/store/batches/retry.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { sharedGround, submissionOf } from './ground.ts'

const t = sharedGround()

const day = 86_400_000

type Options = { kind?: Kind; freshSince?: Date; maxSpend?: number; setsLimit?: boolean; purpose?: string }

const quote = (text: string, options: Options = {}): Promise<Quote> => {
  const { organizationId, freshSince } = submissionOf('')
  const open = () => submissionOf(text).bytes
  const terms = { kind: 'analysis' as const, bound: 16, maxSpend: null, setsLimit: false, firstLookMs: 20 }
  return quoteFile(t.sql, { open, organizationId, freshSince, ...terms, ...options })
}

test('a quote counts rows, rejects by reason and documents, and leaves nothing behind', async () => {
  const text = csvOf([...cpfs(20), cpf(0), '12345678900', '', 'junk', '11111111111'])

  expect(await quote(text)).toEqual({
    rows: 24,
    blankLines: 1,
    rejected: 3,
    rejects: { check_digit: 1, characters: 1, repeated_digits: 1 },
    notAsked: {},
    ...{ documents: 20, elsewhere: 0, fresh: 0, shared: 0, bought: 0, parked: 0 },
    ...{ toBeAsked: 20, toBePaid: 20, freed: 0, expectedSeconds: 5, repeats: null },
    reads: {
      ...{ encoding: 'utf-8', delimiter: ';', column: 'documento', columns: { documento: 'documento' } },
      ...{ documents: [], headerLine: null, sheet: null, unreadSheets: [], unaskedColumns: [] },
      ...{ hiddenRows: 0, remembered: null },
    },
  })
  expect(await quote(text, { maxSpend: 8 })).toMatchObject({ toBePaid: 20, expectedSeconds: 4 })
  expect(await quote(csvOf(cpfs(5)), { kind: 'processes' })).toMatchObject({ toBeAsked: 5, toBePaid: 0 })
  for (const table of ['file', 'batch', 'lookup'])
    expect(await t.sql`select from ${t.sql(`vigia.${table}`)}`).toHaveLength(0)
})

test('fresh answers are free, and old ones have to be paid for', async () => {
  const batch = await t.answered(csvOf(cpfs(10)))
  await t.sql`update vigia.lookup set sending_at = now()`

  expect(await quote(csvOf(cpfs(15)))).toMatchObject({ documents: 15, fresh: 10, toBePaid: 5, repeats: null })
  expect(await quote(csvOf(cpfs(10)))).toMatchObject({ fresh: 10, toBePaid: 0, repeats: { batch: batch.id } })
  const tomorrow = new Date(Date.now() + day)
  expect(await quote(csvOf(cpfs(10)), { freshSince: tomorrow })).toMatchObject({ toBePaid: 10, repeats: null })
})

test('a quote and a submission agree to the moment when a finished batch no longer answers for its bytes', async () => {
  const text = csvOf(cpfs(2))
  const { id } = await t.answered(text)
  const finishedAt = new Date(Date.now() - day)
  await t.sql`update vigia.batch set finished_at = ${finishedAt}`
  const justBefore = { freshSince: new Date(finishedAt.getTime() - 1) }

  expect(await quote(text, justBefore)).toMatchObject({ repeats: { batch: id } })
  expect(await t.submit(text, justBefore)).toBe(id)
  expect(await quote(text, { freshSince: finishedAt })).toMatchObject({ repeats: null })
  expect(await t.submit(text, { freshSince: finishedAt })).not.toBe(id)
})

test('a batch for another purpose does not answer for the same bytes; one without a purpose gets it', async () => {
  const text = csvOf([cpf(1)])
  const first = await t.submit(text)
  expect(await t.submit(text, { purpose: 'credit' })).toBe(first)
  expect(await t.sql`select purpose from vigia.batch`).toEqual([{ purpose: 'credit' }])
  expect(await t.submit(text)).toBe(first)
  expect((await quote(text, { purpose: 'credit' })).repeats).toMatchObject({ batch: first })
  expect((await quote(text, { purpose: 'contract' })).repeats).toBeNull()
  expect(await t.submit(text, { purpose: 'contract' })).not.toBe(first)
})

test('documents of an open batch are shared; those of a batch that needs approval would be paid for', async () => {
  await t.imported(csvOf(cpfs(10)))
  expect(await quote(csvOf(cpfs(12)))).toMatchObject({ shared: 10, toBePaid: 2 })
  await t.sql`update vigia.lookup set state = 'waiting', remote_id = id::text`
  expect(await quote(csvOf(cpfs(12)))).toMatchObject({ shared: 10, toBePaid: 2 })

  await t.imported(csvOf(cpfs(5, 20)), { confirmAbove: 1 })
  expect(await quote(csvOf([...cpfs(5, 20), cpf(30)]))).toMatchObject({ shared: 0, toBePaid: 6 })
})

test('a call under way is spent: it is neither to be paid nor freed by a new limit', async () => {
  const { id } = await t.imported(csvOf(cpfs(6)), { maxSpend: 2 })
  await t.sql`
    insert into vigia.intent_group (lookup_ids, sent_at, judged_at)
    select array_agg(id), now(), now() from vigia.lookup where question = any(${cpfs(2)})`
  await t.sql`update vigia.batch set spent = 2`

  const quoted = await quote(csvOf(cpfs(6)), { maxSpend: 10, setsLimit: true })
  expect(quoted).toMatchObject({ toBeAsked: 4, toBePaid: 4, freed: 4, repeats: { batch: id, spent: 2 } })
  expect(await countOwnQueued(t.sql, id)).toBe(4)
})

test('a batch that needs approval is unconfirmed even if somebody paused it', async () => {
  const { id } = await t.imported(csvOf(cpfs(6)), { maxSpend: 4, confirmAbove: 1 })
  await t.sql`update vigia.batch set paused_at = now()`

  const quoted = await quote(csvOf(cpfs(6)), { maxSpend: 6, setsLimit: true })
  expect(quoted).toMatchObject({ freed: 2, repeats: { batch: id, state: 'paused', unconfirmed: true } })
  expect(costsAnew({ ...quoted, limit: 6 })).toBe(6)
})

test('purchases without an answer are counted apart, and so are parked ones', async () => {
  await t.answered(csvOf(cpfs(3)))
  await t.sql`update vigia.lookup set sending_at = now()`
  await t.sql`update vigia.lookup set state = 'timed_out' where question = ${cpf(0)}`
  await t.sql`update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', remote_id = null where question = ${cpf(1)}`
  expect(await quote(csvOf(cpfs(4)))).toMatchObject({ bought: 1, parked: 1, fresh: 1, toBePaid: 1 })
})

test('a quote assumes at least one worker, and no more requests than all of them may have open', () => {
  const concurrency = { worker: 4, fleet: 10 }
  expect([0, 1, 2, 3].map((workers) => openRequests(concurrency, workers))).toEqual([4, 4, 8, 10])
})
