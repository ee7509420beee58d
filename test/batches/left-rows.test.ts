import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { exportBatch, exportWorkbook } from '../../src/batches/export.ts'
import { readRowHistory } from '../../src/batches/own-rows.ts'
import { cancelBatch } from '../../src/batches/pause-resume-cancel.ts'
import type { Kind } from '../../src/domain/kind.ts'
import { readWorkbook, type WorkbookRow } from '../../src/files/xlsx/read-workbook.ts'
import { findSpreadsheet, listSpreadsheets } from '../../src/store/batches/results.ts'
import { addUpTotals, comparableBatches, countShared, readRanking } from '../../src/store/batches/risk.ts'
import { readRows } from '../../src/views/row.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { setupWeb } from '../web/setup.ts'
import { answerAll } from './answers.ts'
import { type Ground, setupGround } from './ground.ts'

const steering = { by: 'test', now: new Date(), deadlineMs: 3_600_000, finished: async () => {} }

/**
 * A cancelled batch: its first row was answered before, the registry knows nothing of the second, and the third was
 * left to another batch, which has its answer by now.
 */
const played = async (t: Ground, kind: Kind = 'analysis') => {
  const { id: left } = await t.imported(csvOf([cpf(1), cpf(2), cpf(3)]), { kind })
  await answerAll(t.sql, left, { limit: 2 })
  await t.sql`delete from vigia.answer using vigia.lookup l where l.id = lookup_id and l.question = ${cpf(2)}`
  await t.sql`update vigia.lookup set state = 'not_found' where question = ${cpf(2)}`
  const { id: asking } = await t.imported(csvOf([cpf(3)]), { kind })
  await cancelBatch(t.sql, left, steering)
  await answerAll(t.sql, asking)
  const accepted = `2026-11-01T12:00:00.000Z ["accepted","RUNNING"]`
  await t.sql`update vigia.lookup set seen = 'DONE', trace = array[${accepted}::text] where state = 'ok'`
  await t.sql`update vigia.answer set data = '{"spreadsheet": "https://registry/1.xlsx"}'`
  return { left, asking }
}

const options = (t: Ground) => ({
  folder: join(t.home.outbox, 'x'),
  timezone: 'America/Sao_Paulo',
  now: new Date(),
  language: 'en' as const,
})

const reportOf = async (t: Ground, id: bigint): Promise<Record<string, string>[]> => {
  const { report } = await exportBatch(t.sql, id, options(t))
  return parse(await readFile(report), { bom: true, columns: true, delimiter: ';' })
}

const sheetOf = async (t: Ground, id: bigint): Promise<Record<string, string>[]> => {
  const { workbook } = await exportWorkbook(t.sql, id, options(t))
  await using sheets = await readWorkbook(workbook)
  const rows: WorkbookRow[] = []
  for await (const some of sheets.rows('Results')) rows.push(...some)
  const [header, ...others] = rows.map(({ cells }) => cells)
  return others.map((cells) => Object.fromEntries(header!.map((name, i) => [name, cells[i] ?? ''])))
}

const moment = '2026-11-01T09:00:00'

test('a row that its batch left shows nothing of the answer in the report, and other rows show all of theirs', async () => {
  await using t = await setupGround()
  const { left, asking } = await played(t)

  const [answered, unknown, gone] = await reportOf(t, left)
  expect(answered).toMatchObject({ result_status: 'ok', result_as_of: moment, ALL_count: '7', ALL_value: '1234,56' })
  expect(unknown).toMatchObject({ result_status: 'not_found', result_as_of: moment, ALL_count: '' })
  expect(unknown!.result_id).toMatch(/^\d+$/)
  const { documento, result_status, result_charged, result_document, ...others } = gone!
  expect([documento, result_status, result_charged, result_document]).toEqual([cpf(3), 'cancelled', 'no', cpf(3)])
  expect(new Set(Object.values(others))).toEqual(new Set(['']))
  expect(await reportOf(t, asking)).toMatchObject([{ result_status: 'ok', result_as_of: moment, ALL_count: '7' }])
})

test('a row that its batch left shows nothing of the answer in the workbook, and has no level of risk', async () => {
  await using t = await setupGround()
  const { left } = await played(t)

  const [answered, unknown, gone] = await sheetOf(t, left)
  const filled = (row?: Record<string, string>) => Object.values(row ?? {}).filter((cell) => cell !== '')
  expect(filled(answered)).toEqual(expect.arrayContaining(['at risk', '1234.56']))
  expect(filled(unknown)).toContain('2026-11-01 09:00:00')
  expect(filled(gone)).toEqual([cpf(3), 'cancelled', 'no', cpf(3)])
})

test('a licence that another batch asked for shows no status in the row that left it', async () => {
  await using t = await setupGround()
  const { left } = await played(t, 'cnh')

  const report = await reportOf(t, left)
  expect(report.map((row) => [row.result_status, row.cnh_status, row.cnh_data !== ''])).toEqual([
    ['ok', 'DONE', true],
    ['not_found', '', false],
    ['cancelled', '', false],
  ])
  expect((await sheetOf(t, left)).map((row) => Object.values(row).includes('DONE'))).toEqual([true, false, false])
})

test('risk is summed, ranked and compared without rows that were left', async () => {
  await using t = await setupGround()
  const { left, asking } = await played(t)

  const ranked = await readRanking(t.sql, left, { weights: { ALL: 1 } }, 10)
  expect({
    addedUp: (await addUpTotals(t.sql, left)).documents,
    ranked: ranked.map(({ line }) => line),
    shared: await countShared(t.sql, left, asking),
    comparable: await comparableBatches(t.sql, asking),
  }).toEqual({ addedUp: 1, ranked: [2], shared: 0, comparable: [] })
})

test('the spreadsheet of a left row is not sent, and lists show no answer, status or date of it', async () => {
  await using t = await setupGround()
  const { left, asking } = await played(t)

  expect((await listSpreadsheets(t.sql, left, { line: 0, part: 0 }, 10)).map(({ line }) => line)).toEqual([2])
  expect(await findSpreadsheet(t.sql, left, { line: 2, part: 0 })).toMatchObject({ url: 'https://registry/1.xlsx' })
  expect(await findSpreadsheet(t.sql, left, { line: 4, part: 0 })).toBeNull()
  expect(await findSpreadsheet(t.sql, asking, { line: 2, part: 0 })).toMatchObject({ line: 2 })
  const rows = await readRows(t.sql, left, {}, { after: 0, upTo: 100, limit: 100 })
  expect(rows.map(({ asOf }) => asOf !== null)).toEqual([true, true, false])
  expect(rows.map(({ answer }) => answer !== null)).toEqual([true, false, false])
  expect(rows.map(({ seen }) => seen)).toEqual(['DONE', null, null])
})

test('the history of a left row has its document and outcome, and nothing of the other batch’s purchase', async () => {
  await using t = await setupGround()
  const { left, asking } = await played(t)
  const shown = await readRowHistory(t.sql, asking, { line: 2 }, String)
  expect(shown).toMatchObject({ state: 'ok', lookup: { seen: 'DONE', asOf: '2026-11-01T12:00:00.000Z' } })
  expect(shown.story).toHaveLength(1)

  const history = await readRowHistory(t.sql, left, { line: 4 }, String)
  expect(history).toMatchObject({
    state: 'cancelled',
    detail: null,
    pays: false,
    answer: null,
    lookup: null,
    story: [],
  })
  expect(history.document).toBe(shown.document)
  expect((await readRowHistory(t.sql, left, { line: 3 }, String)).lookup).toMatchObject({
    asOf: '2026-11-01T12:00:00.000Z',
  })

  const { stdout } = await call(['batch', String(left), '--line', '4'], t.env)
  expect(stdout).toMatch(/State +cancelled/)
  expect(stdout).not.toMatch(/Registry id|Last status|As of|Deadline|Answer of the registry/)
})

test('the page of a left row says that it was left, and shows nothing of the answer', async () => {
  await using t = await setupWeb()
  const token = await t.operator('analyst')
  const [left, asking] = [await t.submit(csvOf(cpfs(1))), await t.submit(csvOf([cpf(0), cpf(1)]))]
  await Promise.all([t.finished(left), t.finished(asking)])
  await t.sql`update vigia.batch_row set cancelled = true where batch_id = ${left}`
  await t.sql`update vigia.lookup set batch_id = ${asking}, seen = 'READY'`
  const read = async (path: string) => (await t.call(path, { token, headers: { 'accept-language': 'en' } })).text()
  const own = await read(`/batches/${asking}/rows/2`)
  const page = await read(`/batches/${left}/rows/2`)

  const ofThePurchase = ['Risk indicators', '>Registry number<', '<code>READY</code>', '>Finished<', 'class="story"']
  expect(ofThePurchase.filter((labels) => own.includes(labels))).toEqual(ofThePurchase)
  expect(ofThePurchase.filter((labels) => page.includes(labels))).toEqual([])
  expect(page).toContain('This batch was cancelled. Another batch continues the row.')
  expect(page).not.toContain('shares the answer')
  expect(JSON.parse(await read(`/api/batches/${left}/rows/2`))).toMatchObject({ answer: null, lookup: null })
  expect(JSON.parse(await read(`/api/batches/${left}/rows`)).rows).toMatchObject([{ state: 'cancelled', result: null }])
})
