import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import { cancelBatch } from '../../src/batches/pause-resume-cancel.ts'
import { quoteRetry, retryBatch } from '../../src/batches/retry.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { countsOf } from '../../src/store/batches/counts.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { retrying } from './decisions.ts'

test('rows that failed are asked again and paid once, and the report is written again', async () => {
  await using t = await setup()
  t.sandbox.setScenario({ plans: { [t.sandbox.account.planId]: { units: 6 } } })
  const id = await t.submit(csvOf([...cpfs(10), ...cpfs(10)]), { maxSpend: 6 })
  const before = await t.finished(id)
  expect(await countsOf(t.sql, id)).toEqual({ ok: 12, over_budget: 8 })
  t.sandbox.setScenario({ plans: {} })

  expect(await quoteRetry(t.sql, id, retrying(t))).toMatchObject({ rows: 8, documents: 4, toBePaid: 4, bought: 0 })
  expect(await retryBatch(t.sql, id, { ...retrying(t), maxSpend: 10 })).toBe(8)
  const after = await t.finished(id)

  expect(await countsOf(t.sql, id)).toEqual({ ok: 20 })
  expect(after).toMatchObject({ state: 'done', spent: 10, maxSpend: 10 })
  expect(after.exportedAt!.getTime()).toBeGreaterThan(before.exportedAt!.getTime())
  expect(t.sandbox.charges()).toBe(10)
})

test('a batch that was cancelled before its approval and then retried has begun with the retry', async () => {
  await using t = await setup()
  const id = await t.submit(csvOf(cpfs(2)), { confirmAbove: 0 })
  await until(async () => (await readBatch(t.sql, id))?.state === 'unconfirmed')
  await cancelBatch(t.sql, id, retrying(t))
  expect(await retryBatch(t.sql, id, retrying(t, ['cancelled']))).toBe(2)
  const { startedAt, finishedAt } = await t.finished(id)
  expect(startedAt).not.toBeNull()
  expect(startedAt! <= finishedAt!).toBe(true)
})

test('rows of a person who was erased are not asked again', async () => {
  await using t = await setup()
  const id = await t.submit(csvOf(cpfs(4)), { maxSpend: 2 })
  await t.finished(id)
  const [left] = await t.sql<
    { question: string }[]
  >`select question from vigia.lookup where state = 'over_budget' limit 1`
  await eraseDocument(t.tools, left!.question, 'test')
  await t.finished(id)

  expect(await quoteRetry(t.sql, id, retrying(t))).toMatchObject({ rows: 1, toBePaid: 1 })
  expect(await retryBatch(t.sql, id, { ...retrying(t), maxSpend: 4 })).toBe(1)
  await t.finished(id)
  expect(await countsOf(t.sql, id)).toEqual({ ok: 3, over_budget: 1 })
  expect(t.sandbox.charges()).toBe(3)
  expect(await t.sql`select from vigia.lookup where question like 'erased:%' and current`).toHaveLength(0)
})

test('what was bought and timed out is only fetched', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 3_600_000 }, config: { polling: shortTimeout } })
  const id = await t.submit(csvOf(cpfs(5)))
  await t.finished(id)
  expect(await countsOf(t.sql, id)).toEqual({ timed_out: 5 })
  t.sandbox.setScenario({ readyAfterMs: 0 })

  expect(await quoteRetry(t.sql, id, retrying(t))).toMatchObject({ rows: 5, bought: 5, toBePaid: 0 })
  await retryBatch(t.sql, id, retrying(t))
  await t.finished(id)
  expect(await countsOf(t.sql, id)).toEqual({ ok: 5 })
  expect(t.sandbox.charges()).toBe(5)
})

test('three retries at the same moment ask and pay once, and the report shows who paid', async () => {
  await using t = await setup()
  const id = await t.submit(csvOf(cpfs(60)), { maxSpend: 10 })
  await t.finished(id)
  const retry = { ...retrying(t), maxSpend: 60 }

  const asked = await Promise.all([1, 2, 3].map(() => retryBatch(t.sql, id, retry)))
  const after = await t.finished(id)

  expect(asked.toSorted()).toEqual([0, 0, 50])
  expect(after.spent).toBe(60)
  expect(t.sandbox.charges()).toBe(60)
  expect(await countPaidRows(t, id)).toBe(60)
})

const countPaidRows = async ({ sql }: Setup, id: bigint): Promise<number> => {
  const [row] = await sql<{ rows: number }[]>`
    select count(*)::int as rows from vigia.batch_row r join vigia.lookup l on l.id = r.lookup_id
     where r.batch_id = ${id} and r.pays and l.batch_id = r.batch_id and l.charged = 'yes'`
  return row!.rows
}

const shortTimeout = { first: '20ms', max: '50ms', deadline: '1s' }

test('a limit below what is spent is refused, and nothing is asked', async () => {
  await using t = await setup()
  const id = await t.submit(csvOf(cpfs(10)), { maxSpend: 6 })
  await t.finished(id)
  await expect(retryBatch(t.sql, id, { ...retrying(t), maxSpend: 5 })).rejects.toThrow(
    `Batch ${id} has already spent more than 5: set a higher limit`,
  )
  expect(await countsOf(t.sql, id)).toEqual({ ok: 6, over_budget: 4 })
})

test('only rows in the given states are asked again', async () => {
  await using t = await setup({ config: { request: { timeout: '2s', retries: 0 } } })
  const id = await t.submit(csvOf(cpfs(10)), { maxSpend: 6 })
  await t.finished(id)
  expect(await retryBatch(t.sql, id, { ...retrying(t, ['failed']), maxSpend: 9 })).toBe(0)
  expect(await readBatch(t.sql, id)).toMatchObject({ maxSpend: 6 })
  expect((await readBatch(t.sql, id))!.finishedAt).not.toBeNull()
})

test('a retry that meets a look-up of another batch counts it once', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 300 } })
  const first = await t.submit(csvOf(cpfs(50)), { maxSpend: 10 })
  await t.finished(first)
  const second = await t.submit(`cpf\n${cpfs(50).join('\n')}\n`)
  await until(async () => t.sandbox.charges() > 20)
  await retryBatch(t.sql, first, { ...retrying(t), maxSpend: null })
  await Promise.all([t.finished(first), t.finished(second)])
  expect(await countsOf(t.sql, first)).toEqual({ ok: 50 })
  expect(t.sandbox.charges()).toBe(50)
})

property.prop(
  {
    steps: fc.array(fc.constantFrom('cancel', 'retry', 'wait'), { maxLength: 4 }),
    repeats: fc.nat(5),
    junk: fc.nat(3),
  },
  { numRuns: 6 },
)(
  'every row comes back after any cancels and retries, and nothing is bought twice',
  async ({ steps, repeats, junk }) => {
    await using t = await setup({ sandbox: { scenario: { latency: { generate: 5 } } } })
    const rows = [...cpfs(40), ...cpfs(repeats), ...Array.from({ length: junk }, (_, n) => `junk ${n}`)]
    const id = await t.submit(csvOf(rows), { maxSpend: 30 })
    await until(async () => (await readBatch(t.sql, id))!.importedAt)
    for (const step of [...steps, 'wait', 'allow more', 'wait']) await take(t, id, step)

    const { manifest } = await exportBatch(t.sql, id, {
      folder: `${t.home}/out`,
      now: new Date(),
      settings: t.settings,
    })
    expect(manifest).toMatchObject({ rows: rows.length, complete: true, states: await countsOf(t.sql, id) })
    expect(manifest.states.ok).toBe(40 + repeats)
    expect(t.sandbox.charges()).toBe(40)
  },
)

const take = async (t: Setup, id: bigint, step: string): Promise<void> => {
  if (step === 'cancel') await cancelBatch(t.sql, id, retrying(t)).catch(() => {})
  if (step === 'retry') await retryBatch(t.sql, id, retrying(t))
  if (step === 'wait') await t.finished(id)
  if (step === 'allow more') await retryBatch(t.sql, id, { ...retrying(t), maxSpend: null })
}
