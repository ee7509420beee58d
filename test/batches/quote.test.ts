import { expect, test } from 'vitest'
import { openRequests, type Quote, quoteFile } from '../../src/batches/quote.ts'
import { costsAnew } from '../../src/cli/files/quote.ts'
import type { Kind } from '../../src/domain/kind.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { countOwnQueued } from '../../src/store/batches/retry.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupGround } from './ground.ts'

const day = 86_400_000

const quote = (
  { sql }: Pick<Setup, 'sql'>,
  text: string,
  options: { kind?: Kind; freshSince?: Date; maxSpend?: number; setsLimit?: boolean } = {},
): Promise<Quote> =>
  quoteFile(sql, {
    open: async function* () {
      yield Buffer.from(text)
    },
    organizationId: accounts[0].organizationId,
    kind: options.kind ?? 'analysis',
    freshSince: options.freshSince ?? new Date(Date.now() - 30 * day),
    bound: 16,
    maxSpend: options.maxSpend ?? null,
    setsLimit: options.setsLimit ?? false,
    firstLookMs: 20,
  })

const tables = (t: Setup) => t.sql`
  select (select count(*) from vigia.file)::int as files, (select count(*) from vigia.batch)::int as batches,
         (select count(*) from vigia.lookup)::int as lookups`

test('a quote counts rows, rejects by reason and documents, and leaves nothing behind', async () => {
  await using t = await setup()
  const text = csvOf([...cpfs(20), cpf(0), '12345678900', '', 'junk', '11111111111'])

  expect(await quote(t, text)).toEqual({
    rows: 24,
    blankLines: 1,
    rejected: 3,
    rejects: { check_digit: 1, characters: 1, repeated_digits: 1 },
    notAsked: {},
    documents: 20,
    elsewhere: 0,
    fresh: 0,
    shared: 0,
    bought: 0,
    parked: 0,
    toBeAsked: 20,
    toBePaid: 20,
    freed: 0,
    expectedSeconds: 5,
    reads: {
      encoding: 'utf-8',
      delimiter: ';',
      column: 'documento',
      columns: { documento: 'documento' },
      documents: [],
      headerLine: null,
      sheet: null,
      unreadSheets: [],
      unaskedColumns: [],
      hiddenRows: 0,
      remembered: null,
    },
    repeats: null,
  })
  expect(await quote(t, text, { maxSpend: 8 })).toMatchObject({ toBePaid: 20, expectedSeconds: 4 })
  expect(await tables(t)).toEqual([{ files: 0, batches: 0, lookups: 0 }])
  expect(Object.values(t.sandbox.ledger.counts).filter((calls) => calls > 0)).toEqual([])
})

test('fresh answers are free, and old ones have to be paid for', async () => {
  await using t = await setup()
  const batch = await t.finished(await t.submit(csvOf(cpfs(10))))

  expect(await quote(t, csvOf(cpfs(15)))).toMatchObject({ documents: 15, fresh: 10, toBePaid: 5, repeats: null })
  expect(await quote(t, csvOf(cpfs(10)))).toMatchObject({ fresh: 10, toBePaid: 0, repeats: { batch: batch.id } })
  const tomorrow = new Date(Date.now() + day)
  expect(await quote(t, csvOf(cpfs(10)), { freshSince: tomorrow })).toMatchObject({ toBePaid: 10, repeats: null })
})

test('a quote and a submission agree to the moment when a finished batch no longer answers for its bytes', async () => {
  await using t = await setup()
  const batch = await t.finished(await t.submit(csvOf(cpfs(2))))
  const finishedAt = new Date(Date.now() - day)
  await t.sql`update vigia.batch set finished_at = ${finishedAt} where id = ${batch.id}`
  const justBefore = new Date(finishedAt.getTime() - 1)

  expect(await quote(t, csvOf(cpfs(2)), { freshSince: justBefore })).toMatchObject({ repeats: { batch: batch.id } })
  expect(await t.submit(csvOf(cpfs(2)), { freshSince: justBefore })).toBe(batch.id)
  expect(await quote(t, csvOf(cpfs(2)), { freshSince: finishedAt })).toMatchObject({ repeats: null })
  expect(await t.submit(csvOf(cpfs(2)), { freshSince: finishedAt })).not.toBe(batch.id)
})

test('a kind that spends nothing asks and costs nothing', async () => {
  await using t = await setup()
  expect(await quote(t, csvOf(cpfs(5)), { kind: 'processes' })).toMatchObject({ toBeAsked: 5, toBePaid: 0 })
})

test('documents of an open batch are shared; those of a batch that needs approval would be paid for', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 3_600_000 } })
  await t.submit(csvOf(cpfs(10)))
  await until(async () => t.sandbox.charges() === 10)
  expect(await quote(t, csvOf(cpfs(12)))).toMatchObject({ shared: 10, toBePaid: 2 })

  const careful = await t.submit(csvOf(cpfs(5, 500)), { confirmAbove: 1 })
  await until(
    async () => (await t.sql`select id from vigia.batch where id = ${careful} and state = 'unconfirmed'`).length,
  )
  expect(await quote(t, csvOf(cpfs(5, 500)))).toMatchObject({ shared: 0, toBePaid: 5 })
})

test('a call under way is spent: it is neither to be paid nor freed by a new limit', async () => {
  await using t = await setupGround()
  const { id } = await t.imported(csvOf(cpfs(6)), { maxSpend: 2 })
  await t.sql`
    insert into vigia.intent_group (lookup_ids, sent_at, judged_at)
    select array_agg(id), now(), now() from vigia.lookup where question = any(${cpfs(2)})`
  await t.sql`update vigia.batch set spent = 2 where id = ${id}`

  const quoted = await quote(t, csvOf(cpfs(6)), { maxSpend: 10, setsLimit: true })
  expect(quoted).toMatchObject({ toBeAsked: 4, toBePaid: 4, freed: 4, repeats: { batch: id, spent: 2 } })
  expect(await countOwnQueued(t.sql, id)).toBe(4)
})

test('a batch that needs approval is unconfirmed even if somebody paused it', async () => {
  await using t = await setupGround()
  const { id } = await t.imported(csvOf(cpfs(6)), { maxSpend: 4, confirmAbove: 1 })
  await t.sql`update vigia.batch set paused_at = now()`

  const quoted = await quote(t, csvOf(cpfs(6)), { maxSpend: 6, setsLimit: true })
  expect(quoted).toMatchObject({ freed: 2, repeats: { batch: id, state: 'paused', unconfirmed: true } })
  expect(costsAnew({ ...quoted, limit: 6 })).toBe(6)
})

test('purchases without an answer are counted apart, and so are parked ones', async () => {
  await using t = await setup()
  await t.finished(await t.submit(csvOf(cpfs(3))))
  await t.sql`update vigia.lookup set state = 'timed_out' where question = ${cpf(0)}`
  await t.sql`update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', remote_id = null where question = ${cpf(1)}`
  expect(await quote(t, csvOf(cpfs(4)))).toMatchObject({ bought: 1, parked: 1, fresh: 1, toBePaid: 1 })
})

test('a quote assumes at least one worker, and no more requests than all of them may have open', () => {
  const concurrency = { worker: 4, fleet: 10 }
  expect([0, 1, 2, 3].map((workers) => openRequests(concurrency, workers))).toEqual([4, 4, 8, 10])
})
