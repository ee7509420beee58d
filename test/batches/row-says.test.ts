import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import { readRowHistory } from '../../src/batches/own-rows.ts'
import type { Sql } from '../../src/store/connect.ts'
import { readPersonRecord } from '../../src/views/person-record.ts'
import { readRows, toRowView } from '../../src/views/row.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { answerAll } from './answers.ts'
import { type Ground, setupGround } from './ground.ts'

type Shows = { detail: string | null; charged: string }

/** A batch with every outcome that matters here, by line. */
const played = async ({ sql, imported }: Ground): Promise<bigint> => {
  const { id } = await imported(csvOf([...cpfs(7), '123']))
  await answerAll(sql, id)
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

const inList = async (sql: Sql, id: bigint): Promise<Shows[]> =>
  (await readRows(sql, id, {}, { after: 0, upTo: 100, limit: 100 }))
    .map((row) => toRowView({ layout: null }, row))
    .map(messageOf)

const inReport = async (t: Ground, id: bigint): Promise<Shows[]> => {
  const as = {
    folder: join(t.home.outbox, 'x'),
    timezone: 'America/Sao_Paulo',
    now: new Date(),
    language: 'en' as const,
  }
  const { report } = await exportBatch(t.sql, id, as)
  const rows: Record<string, string>[] = parse(await readFile(report), { bom: true, columns: true, delimiter: ';' })
  return rows.map((row) => ({ detail: row.result_detail || null, charged: row.result_charged! }))
}

const messageOf = ({ detail, charged }: Shows): Shows => ({ detail, charged })

test('report, list and history agree on the detail of a row and on its charge', async () => {
  await using t = await setupGround()
  const id = await played(t)
  const histories = await Promise.all(
    [2, 3, 4, 5, 6, 7, 8, 9].map((line) => readRowHistory(t.sql, id, { line }, (text) => text)),
  )

  const list = await inList(t.sql, id)
  expect(list).toEqual([
    { detail: null, charged: 'yes' },
    { detail: 'already bought elsewhere, 2026-10-01', charged: 'no' },
    { detail: 'it gave up', charged: 'yes' },
    { detail: 'PROCESSING', charged: 'yes' },
    { detail: null, charged: 'yes' },
    { detail: null, charged: 'no' },
    { detail: null, charged: 'unknown' },
    { detail: expect.stringMatching(/^3 digits/), charged: 'no' },
  ])
  expect(await inReport(t, id)).toEqual(list.slice(0, -1))
  expect(histories.map(({ detail }) => detail)).toEqual(list.map(({ detail }) => detail))
  expect(histories.map(({ pays }) => pays)).toEqual([true, true, true, true, true, false, true, false])
})

test('a history shows the state of an open row’s look-up, and the outcome of any other row', async () => {
  await using t = await setupGround()
  const id = await played(t)
  const rows = await readRows(t.sql, id, {}, { after: 0, upTo: 100, limit: 100 })
  const states = await Promise.all(
    rows.map(async ({ line }) => (await readRowHistory(t.sql, id, { line }, String)).state),
  )

  expect(rows.map(({ outcome }) => outcome)).toEqual([
    'ok',
    'ok',
    'failed',
    'pending',
    'cancelled',
    'ok',
    'pending',
    'rejected',
  ])
  expect(states).toEqual(['ok', 'ok', 'failed', 'waiting', 'cancelled', 'ok', 'sending', 'rejected'])
})

test('while a call is under way, the history of its row and the record of its person agree on it', async () => {
  await using t = await setupGround()
  const id = await played(t)
  const document = cpfs(7)[6]!

  const history = await readRowHistory(t.sql, id, { line: 8 }, String)
  const { lookups } = await readPersonRecord(t.sql, { document, type: 'CPF', key: '' })

  expect([history.state, history.lookup!.charged]).toEqual(['sending', 'unknown'])
  expect(lookups).toMatchObject([{ state: 'sending', charged: 'unknown' }])
})
