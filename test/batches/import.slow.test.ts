import { expect, test } from 'vitest'
import { importBatch } from '../../jobs/import-batch.ts'
import { createLog } from '../../src/log/log.ts'
import { inEnglish } from '../../src/messages/message.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { startEngine } from '../../src/worker.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupGround } from './ground.ts'

test('duplicates inside a file and across open batches share one look-up, paid for by the first', async () => {
  await using t = await setupGround()
  const [a, b, c] = cpfs(3) as [string, string, string]
  const first = await t.imported(csvOf([a, b, a, a.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')]))
  const second = await t.imported(csvOf([b, c, c]))

  expect((await t.sql`select from vigia.lookup`).length).toBe(3)
  expect([first.toBePaid, second.toBePaid]).toEqual([2, 1])
  const payers = await t.sql<{ batch: bigint; line: number }[]>`
    select batch_id as batch, line from vigia.batch_row where pays order by batch_id, line`
  expect(payers).toEqual([
    { batch: first.id, line: 2 },
    { batch: first.id, line: 3 },
    { batch: second.id, line: 3 },
  ])
})

test('a document answered inside the freshness window is shared, and after it asked anew', async () => {
  await using t = await setup()
  await t.finished(await t.submit(csvOf(cpfs(5))))
  await t.finished(await t.submit(`cpf\n${cpfs(5).join('\n')}\n`))
  expect(t.sandbox.charges()).toBe(5)

  await t.sql`update vigia.lookup set sending_at = sending_at - interval '31 days', finished_at = finished_at - interval '31 days'`
  await t.finished(
    await t.submit(
      `cnpj_ou_nada;cpf\n${cpfs(5)
        .map((cpf) => `;${cpf}`)
        .join('\n')}\n`,
    ),
  )
  expect(t.sandbox.charges()).toBe(10)
})

test('an importer that has to stop leaves the rest to the next one', async () => {
  await using t = await setup()
  const { sql, home, settings } = t.tools
  const log = createLog({ level: 'silent' })
  const id = await t.submit(csvOf(cpfs(30_000)), { confirmAbove: 0 })
  await until(async () => ((await readBatch(sql, id))?.importedTo ?? 0) > 0)
  await t.running.stop()
  expect((await readBatch(sql, id))?.state).toBe('importing')

  await using _ = await startEngine({ settings, home, databaseUrl: t.databaseUrl, sql, log }, { drainMs: 1_000 })
  await until(async () => (await readBatch(sql, id))?.state === 'unconfirmed')

  expect((await readBatch(sql, id))?.rows).toBe(30_000)
})

test('a row that no parser can hold rejects the batch with the reason, and is not tried again', async () => {
  await using t = await setupGround()
  const batch = await t.imported(`${csvOf(cpfs(10_000))}"${'x'.repeat(17 * 1024 * 1024)}\n`)

  expect(batch).toMatchObject({ state: 'rejected', finishedAt: expect.any(Date) })
  expect(inEnglish(batch.message!)).toMatch(/^line 10002: a row of more than/)
})

test('a batch that is imported twice at once has each row once', async () => {
  await using t = await setupGround()
  const id = await t.submit(csvOf(cpfs(20_000)))
  const work = () => importBatch.work({ batchId: String(id) }, t.tools)

  await Promise.all([work(), work()])

  expect(await readBatch(t.sql, id)).toMatchObject({ state: 'running', rows: 20_000, rejected: 0, toBePaid: 20_000 })
  expect((await t.sql`select from vigia.batch_row`).length).toBe(20_000)
})

test('files with the same people, imported at once and in other orders, ask each of them once', async () => {
  await using t = await setupGround()
  const people = cpfs(12_000)
  const contents = [people, people.toReversed(), [...people.slice(6_000), ...people.slice(0, 6_000)]].map(csvOf)
  const ids = await Promise.all(contents.map((content) => t.submit(content)))

  await Promise.all(ids.map((id) => importBatch.work({ batchId: String(id) }, t.tools)))

  const batches = await Promise.all(ids.map((id) => readBatch(t.sql, id)))
  expect(batches.map((batch) => batch?.rows)).toEqual([12_000, 12_000, 12_000])
  expect(batches.reduce((sum, batch) => sum + batch!.toBePaid, 0)).toBe(12_000)
  expect((await t.sql`select from vigia.lookup`).length).toBe(12_000)
  expect((await t.sql`select from vigia.batch_row where pays`).length).toBe(12_000)
})
