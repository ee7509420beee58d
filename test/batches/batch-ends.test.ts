import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importBatch } from '../../jobs/import-batch.ts'
import { cancelBatch } from '../../src/batches/pause-resume-cancel.ts'
import { exitCodeOf } from '../../src/cli/files/run-result.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { finishBatches } from '../../src/store/batches/counts.ts'
import { findDueBatches } from '../../src/store/lookups/due-lookups.ts'
import { call } from '../cli/call.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { sheetsIn } from '../support/read-report.ts'
import { environmentOf, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupWeb } from '../web/setup.ts'
import { setupGround, sharedGround } from './ground.ts'

const t = sharedGround()

const steering = { by: 'test', now: new Date(), deadlineMs: 3_600_000, finished: async () => {} }

test('a batch whose rows are all rejected ends as rejected and needs no approval, and the page shows neither it nor a cancelled one as done', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const rejected = await t.submit('documento;nome\n12345678900;Ana\nabc;Rui\n', { confirmAbove: -1 })
  await t.finished(rejected)
  expect(await readBatch(t.sql, rejected)).toMatchObject({ state: 'rejected', rows: 2, rejected: 2 })
  const rejects = await readFile(join(t.home, `outbox/people.${rejected}/people.rejects.csv`), 'utf8')
  expect(rejects).toMatch(/12345678900;Ana;2;.*\nabc;Rui;3;/s)
  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), LOG_LEVEL: 'fatal' }
  const { exitCode, stdout } = await call(['batch', String(rejected), '--watch', '--json'], env)
  expect(exitCode).toBe(3)
  const problem = expect.stringContaining('none of the 2 rows')
  expect(JSON.parse(stdout)).toMatchObject({ state: 'rejected', problem })

  const cancelled = await t.submit(csvOf(cpfs(2)), { confirmAbove: -1 })
  await t.call(`/batches/${cancelled}/cancel`, { token, method: 'POST' })
  await t.finished(cancelled)
  const list = await (await t.call('/batches', { token })).text()
  expect(list).toContain('badge state-rejected')
  expect(list).not.toMatch(/100\s*%/)
  const page = await (await t.call(`/batches/${rejected}`, { token })).text()
  expect(page).toMatch(/notice warn.*none of the 2 rows/s)
  expect(page).not.toMatch(/button primary" href="[^"]*files\//)
  expect(page).toContain('files/rejects')
})

test('a file with one readable row is done, and a run is as good as its worst file', () => {
  const { signal } = new AbortController()
  const result = { ending: 'done', unanswered: 0, quote: null, rows: 2, states: { ok: 1, rejected: 1 } }
  const refused = { ...result, ending: 'rejected', rows: 0, states: {} }
  const rejected = { ...result, ending: 'rejected', states: { rejected: 2 } }
  expect(exitCodeOf([result], signal)).toBe(0)
  expect(exitCodeOf([result, rejected], signal)).toBe(3)
  expect(exitCodeOf([rejected, refused], signal)).toBe(1)
})

test('a batch whose rows are asked again while it waits to be finished is not finished', async () => {
  const { id } = await t.answered(csvOf(cpfs(2)))
  await t.sql`update vigia.batch set finished_at = null, state = 'running'`
  const waits = () => t.sql`
    select from pg_locks where not granted and locktype = 'transactionid' and pid <> pg_backend_pid()`

  const finishing = await t.sql.begin(async (retry) => {
    await retry`select from vigia.batch where id = ${id} for update`
    const finished = t.sql.begin((tx) => finishBatches(tx, [id], new Date()))
    await until(async () => (await waits()).length > 0)
    await retry`delete from vigia.batch_count where batch_id = ${id}`
    return { finished }
  })
  expect(await finishing.finished).toEqual([])
})

test('a file that is bad in the middle leaves shared look-ups to others', async () => {
  const endless = Buffer.concat([Buffer.from(csvOf(cpfs(6_000))), Buffer.alloc(1_100_000, ';')])
  const bad = await t.submit(endless)
  await importBatch.work({ batchId: String(bad) }, { ...t.tools, signal: AbortSignal.abort() })
  expect((await readBatch(t.sql, bad))!.importedTo).toBeGreaterThan(1_000)
  const good = await t.imported(`cpf\n${cpfs(20).join('\n')}\n`)

  await importBatch.work({ batchId: String(bad) }, t.tools)

  expect(await readBatch(t.sql, bad)).toMatchObject({ state: 'rejected' })
  const due = await findDueBatches(t.sql, [{ kind: 'analysis', state: 'queued', mostRows: 100 }], new Date())
  expect(due).toMatchObject([{ batchId: good.id, state: 'queued' }])
  expect(await t.sql`select id from vigia.lookup where batch_id = ${good.id} and state = 'queued'`).toHaveLength(20)
})

test('a batch cancelled during its import comes back even if its file is bad', async () => {
  await using t = await setupGround({ import: { maxRejectShare: 0.5 } })
  const id = await t.submit(csvOf([...cpfs(2), 'one', 'two', 'three']))
  await cancelBatch(t.sql, id, steering)

  await importBatch.work({ batchId: String(id) }, t.tools)

  const batch = await readBatch(t.sql, id)
  expect(batch).toMatchObject({ state: 'cancelled', rows: 5, rejected: 3, finishedAt: expect.any(Date) })
})

test('a worker writes the workbook and the spreadsheets that were asked for, at first or later, and buys nothing again', async () => {
  let late = 0
  await using t = await setup({ sandbox: { now: () => Date.now() + late } })
  const [first, second] = cpfs(2) as [string, string]
  const text = csvOf([first, 'junk', second, first])
  const id = await t.submit(text, { format: 'xlsx', language: 'en' })
  await t.finished(id)
  const folder = join(t.home, 'outbox', `people.${id}`)
  const csv = ['people.manifest.json', 'people.rejects.csv', 'people.report.csv']
  expect((await readdir(folder)).sort()).toEqual([...csv, 'people.report.xlsx'])
  const sheets = await sheetsIn(join(folder, 'people.report.xlsx'))
  expect(Object.keys(sheets)).toEqual(['Results', 'Summary', 'Rejects', 'About'])

  expect(await t.submit(text, { spreadsheets: true })).toBe(id)
  await t.finished(id)
  const names = (await readdir(join(folder, 'spreadsheets'))).sort()
  expect(names).toEqual([expect.stringMatching(/^2-\w+\.xlsx$/), expect.stringMatching(/^4-\w+\.xlsx$/)])
  expect((await readFile(join(folder, 'spreadsheets', names[0]!))).subarray(0, 2).toString()).toBe('PK')

  // An expired address is asked for again, and a failed spreadsheet is noted and delays nothing.
  late = 20 * 60_000
  await t.sql`update vigia.answer set data = '{"spreadsheet": "http://127.0.0.1:1/x.xlsx"}' where lookup_id = 2`
  await t.sql`update vigia.lookup set remote_id = '../../404', remote_key = 'none' where id = 2`
  const again = await t.submit(`cpf\n${cpfs(2).join('\n')}\n`, { spreadsheets: true })
  expect((await t.finished(again)).state).toBe('done')
  const saved = join(t.home, 'outbox', `people.${again}`, 'spreadsheets')
  const files = (await readdir(saved)).sort()
  expect(files).toEqual([expect.stringMatching(/^2-\w+\.xlsx$/), '3-______404.failed.txt'])
  expect(await readFile(join(saved, files[1]!), 'utf8')).not.toBe('')
  expect(t.sandbox.charges()).toBe(2)
})
