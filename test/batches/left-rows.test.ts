import { expect, test } from 'vitest'
import { readRowHistory } from '../../src/batches/own-rows.ts'
import { cancelBatch } from '../../src/batches/pause-resume-cancel.ts'
import type { Kind } from '../../src/domain/kind.ts'
import { findSpreadsheet, listSpreadsheets } from '../../src/store/batches/results.ts'
import { addUpTotals, comparableBatches, countShared, readRanking } from '../../src/store/batches/risk.ts'
import { readPersonRecord } from '../../src/views/person-record.ts'
import { readRows, toRowView } from '../../src/views/row.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { setupWeb } from '../web/setup.ts'
import { answerAll } from './answers.ts'
import { sharedGround } from './ground.ts'

const t = sharedGround()

const steering = { by: 'test', now: new Date(), deadlineMs: 3_600_000, finished: async () => {} }

/**
 * A cancelled batch: its first row was answered before, the registry knows nothing of the second, and the third was
 * left to another batch, which has its answer by now.
 */
const leave = async (kind: Kind = 'analysis') => {
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

const sheetOf = async (id: bigint): Promise<Record<string, string>[]> => {
  const [header, ...others] = (await t.sheets(id)).Results!.map(({ cells }) => cells)
  return others.map((cells) => Object.fromEntries(header!.map((name, i) => [name, cells[i] ?? ''])))
}

const rowsOf = (id: bigint) => readRows(t.sql, id, {}, { after: 0, upTo: 100, limit: 100 })
const historyOf = (id: bigint, line: number) => readRowHistory(t.sql, id, { line })

const moment = '2026-11-01T09:00:00'

test('a row that its batch left shows nothing of the answer in report and workbook, and other rows show all of theirs', async () => {
  const { left, asking } = await leave()

  const [answered, unknown, gone] = await t.report(left)
  expect(answered).toMatchObject({ result_status: 'ok', result_as_of: moment, ALL_count: '7', ALL_value: '1234,56' })
  expect(unknown).toMatchObject({ result_status: 'not_found', result_as_of: moment, ALL_count: '' })
  expect(unknown!.result_id).toMatch(/^\d+$/)
  const { documento, result_status, result_charged, result_document, ...others } = gone!
  expect([documento, result_status, result_charged, result_document]).toEqual([cpf(3), 'cancelled', 'no', cpf(3)])
  expect(new Set(Object.values(others))).toEqual(new Set(['']))
  expect(await t.report(asking)).toMatchObject([{ result_status: 'ok', result_as_of: moment, ALL_count: '7' }])

  const filled = (row: Record<string, string>) => Object.values(row).filter((cell) => cell !== '')
  const sheet = (await sheetOf(left)).map(filled)
  expect(sheet[0]).toEqual(expect.arrayContaining(['at risk', '1234.56']))
  expect(sheet[1]).toContain('2026-11-01 09:00:00')
  expect(sheet[2]).toEqual([cpf(3), 'cancelled', 'no', cpf(3)])
})

test('a licence that another batch asked for shows no status in the row that left it', async () => {
  const { left } = await leave('cnh')

  expect((await t.report(left)).map((row) => [row.result_status, row.cnh_status, row.cnh_data !== ''])).toEqual([
    ['ok', 'DONE', true],
    ['not_found', '', false],
    ['cancelled', '', false],
  ])
  expect((await sheetOf(left)).map((row) => Object.values(row).includes('DONE'))).toEqual([true, false, false])
})

test('risk is summed, ranked and compared without rows that were left, and lists show no answer of them', async () => {
  const { left, asking } = await leave()

  const ranked = await readRanking(t.sql, left, { weights: { ALL: 1 } }, 10)
  expect({
    addedUp: (await addUpTotals(t.sql, left)).documents,
    ranked: ranked.map(({ line }) => line),
    shared: await countShared(t.sql, left, asking),
    comparable: await comparableBatches(t.sql, asking),
  }).toEqual({ addedUp: 1, ranked: [2], shared: 0, comparable: [] })

  expect((await listSpreadsheets(t.sql, left, { line: 0, part: 0 }, 10)).map(({ line }) => line)).toEqual([2])
  expect(await findSpreadsheet(t.sql, left, { line: 2, part: 0 })).toMatchObject({ url: 'https://registry/1.xlsx' })
  expect(await findSpreadsheet(t.sql, left, { line: 4, part: 0 })).toBeNull()
  expect(await findSpreadsheet(t.sql, asking, { line: 2, part: 0 })).toMatchObject({ line: 2 })
  const rows = await rowsOf(left)
  expect(rows.map(({ asOf, answer, seen }) => [asOf !== null, answer !== null, seen])).toEqual([
    [true, true, 'DONE'],
    [true, false, null],
    [false, false, null],
  ])
})

test('the history of a left row has its document and outcome, and nothing of the other batch’s purchase', async () => {
  const { left, asking } = await leave()
  const shown = await historyOf(asking, 2)
  expect(shown).toMatchObject({ state: 'ok', lookup: { seen: 'DONE', asOf: '2026-11-01T12:00:00.000Z' } })
  expect(shown.story).toHaveLength(1)

  const history = await historyOf(left, 4)
  const nothing = { detail: null, pays: false, answer: null, lookup: null, story: [] }
  expect(history).toMatchObject({ state: 'cancelled', ...nothing, document: shown.document })
  expect((await historyOf(left, 3)).lookup).toMatchObject({ asOf: '2026-11-01T12:00:00.000Z' })

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

/** A batch with every outcome that matters here, by line. */
const played = async (): Promise<bigint> => {
  const { id } = await t.imported(csvOf([...cpfs(7), '123']))
  await answerAll(t.sql, id)
  const { sql } = t
  const lookupAt = (line: number) =>
    sql`id = (select lookup_id from vigia.batch_row where batch_id = ${id} and line = ${line})`
  await sql`
    update vigia.lookup set adopted_at = now(), charged = 'no', message = '["bought_elsewhere", "2026-10-01"]' where ${lookupAt(3)}`
  await sql`update vigia.lookup set state = 'failed', message = '["text", "it gave up"]' where ${lookupAt(4)} or ${lookupAt(6)}`
  await sql`update vigia.lookup set state = 'waiting', finished_at = null, seen = 'PROCESSING' where ${lookupAt(5)}`
  await sql`update vigia.batch_row set cancelled = true where batch_id = ${id} and line = 6`
  await sql`update vigia.lookup set batch_id = ${id} + 1 where ${lookupAt(7)}`
  await sql`update vigia.lookup set state = 'queued', finished_at = null, charged = 'no', remote_id = null where ${lookupAt(8)}`
  await sql`insert into vigia.intent_group (lookup_ids, sent_at, judged_at) select array_agg(id), now(), now() from vigia.lookup where ${lookupAt(8)}`
  return id
}

test('report, list and history agree on the outcome of a row, its detail and its charge', async () => {
  const id = await played()
  const rows = await rowsOf(id)
  const list = rows.map((row) => toRowView({ layout: null }, row)).map(({ detail, charged }) => [detail, charged])
  expect(list).toEqual([
    [null, 'yes'],
    ['already bought elsewhere, 2026-10-01', 'no'],
    ['it gave up', 'yes'],
    ['PROCESSING', 'yes'],
    [null, 'yes'],
    [null, 'no'],
    [null, 'unknown'],
    [expect.stringMatching(/^3 digits/), 'no'],
  ])
  const report = await t.report(id, { language: 'en' })
  expect(report.map((row) => [row.result_detail || null, row.result_charged])).toEqual(list.slice(0, -1))

  const histories = await Promise.all(rows.map(({ line }) => historyOf(id, line)))
  expect(histories.map(({ detail }) => detail)).toEqual(list.map(([detail]) => detail))
  expect(histories.map(({ pays }) => pays)).toEqual([true, true, true, true, true, false, true, false])
  const [ended, waiting, left, last] = [['ok', 'ok', 'failed'], 'waiting', ['cancelled', 'ok'], 'rejected']
  expect(rows.map(({ outcome }) => outcome)).toEqual([...ended!, 'pending', ...left!, 'pending', last])
  expect(histories.map(({ state }) => state)).toEqual([...ended!, waiting, ...left!, 'sending', last])
})

test('while a call is under way, the history of its row and the record of its person agree on it', async () => {
  const history = await historyOf(await played(), 8)
  const { lookups } = await readPersonRecord(t.sql, { document: cpfs(7)[6]!, type: 'CPF', key: '' })

  expect([history.state, history.lookup!.charged]).toEqual(['sending', 'unknown'])
  expect(lookups).toMatchObject([{ state: 'sending', charged: 'unknown' }])
})
