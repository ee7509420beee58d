import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertBatch } from '../../src/store/batches/batches.ts'
import { cancelQueued } from '../../src/store/batches/payers.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { readServer } from '../../src/store/fleet/workers.ts'
import { askLookups } from '../../src/store/lookups/ask-lookups.ts'
import { claimLookups, releaseFromDead } from '../../src/store/lookups/claims.ts'
import { beginSending, recordUnknownOutcomes } from '../../src/store/lookups/intents.ts'
import { endOverBudget } from '../../src/store/lookups/lookup-steps.ts'
import { endOverdue, parkUnjudged } from '../../src/store/lookups/overdue.ts'
import { cancelUnasked } from '../../src/store/radars/sweep-organizations.ts'
import { readHistoryLine } from '../../src/views/row.ts'
import { createDatabase } from '../support/database.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { sharedWeb } from './setup.ts'

const t = await sharedWeb({ config: { import: { maxRejectShare: 0.9 } } })
const token = await t.operator('analyst')
const read = (path: string, language: string) => t.page(path, token, language)

/** The sentences on a page: the history of a row, and the reason of its outcome. */
const sentencesOf = (page: string): string[] =>
  [...page.matchAll(/class="sentence[^"]*">([^<]+)</g)].map(([, text]) => text as string)

test('the history of a row, and the reason of a row, a file and a refusal are in the language of the browser', async () => {
  const [row, file] = [await t.done(csvOf([...cpfs(1, 10), '12'])), await t.done(csvOf(['1', '2', '3']))]
  const history = async (language: string) => sentencesOf(await read(`/batches/${row}/rows/2`, language))
  expect((await history('en')).slice(0, 2)).toEqual(['intent recorded', 'accepted'])
  expect((await history('pt-BR')).slice(0, 2)).toEqual(['intenção de enviar registrada', 'aceita pelo serviço'])
  expect(await read(`/batches/${row}/rows/3`, 'en')).toContain('2 digits: a CPF has 11')
  expect(await read(`/batches/${row}/rows/3`, 'pt-BR')).toContain('2 dígitos: um CPF tem 11')
  expect(await read('/batches/99', 'pt-BR')).toContain('Não existe o lote 99.')
  expect(await read(`/batches/${file}`, 'en')).toContain('3 of 3 rows (100 %) were rejected')
  expect(await read(`/batches/${file}`, 'pt-BR')).toContain('3 de 3 linhas (100 %) foram rejeitadas')
})

test('a text stored before messages had codes is shown as it was written', async () => {
  const id = await t.done(csvOf(cpfs(1, 20)))
  await t.sql`
    update vigia.lookup set state = 'failed', message = '["text", "GET /x answered 500"]',
                      trace = array['2025-01-01T00:00:00.000Z intent recorded', 'a line without its time']
     where batch_id = ${id}`
  for (const language of ['en', 'pt-BR']) {
    const page = await read(`/batches/${id}/rows/2`, language)
    expect(sentencesOf(page)).toEqual(['GET /x answered 500', 'intent recorded', 'a line without its time'])
  }
})

test('every history line that SQL writes is a code', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  try {
    await writeHistories(sql)
    const lines = await sql<{ line: string }[]>`select distinct line from vigia.lookup, unnest(trace) as line`
    const codes = new Set(lines.map(({ line }) => readHistoryLine(line).what[0]))
    const known = ['intent', 'inherited', 'over_budget', 'cancelled', 'deadline', 'worker_died', 'sweep_over']
    expect([...codes].sort()).toEqual([...known, 'parked_late'].sort())
  } finally {
    await sql.end()
    await database.drop()
  }
})

/** Runs every statement that writes to a history. */
const writeHistories = async (sql: Database): Promise<void> => {
  const now = new Date()
  const [jobId, died] = [randomUUID(), randomUUID()]
  const [batch, cancelled, swept] = [await newBatch(sql), await newBatch(sql), await newBatch(sql, 'sweep')]
  const asking = { organizationId: 7, kind: 'analysis' as const, freshSince: new Date(0), deadlineAt: new Date(0), now }
  const ask = async (batchId: bigint, question: string, deadlineAt = new Date(now.getTime() + 60_000)) => {
    const questions = [{ question, documentType: null, label: null }]
    return (await askLookups(sql, questions, { ...asking, batchId, deadlineAt }))[0]!.id
  }
  const [overdue, sent, beyond, dead] = [
    await ask(batch, 'overdue', new Date(now.getTime() - 1)),
    ...(await Promise.all(['sent', 'beyond', 'dead'].map((question) => ask(batch, question)))),
  ]
  await ask(cancelled, 'cancelled')
  await ask(swept, 'swept')
  await endOverdue(sql, [overdue], now)
  await sql`update vigia.batch set max_spend = 0 where id = ${batch}`
  await endOverBudget(sql, [beyond!], now)
  const claims = [
    { jobId, state: 'queued' as const, ids: [sent!] },
    { jobId: died, state: 'queued' as const, ids: [dead!] },
  ]
  await claimLookups(sql, claims, now)
  const { start: server } = await readServer(sql)
  await beginSending(sql, [sent!], jobId, { now, judgedAfterMs: 0, server })
  await recordUnknownOutcomes(sql, now)
  await releaseFromDead(sql, died, 1, now)
  await cancelQueued(sql, cancelled, now)
  await endSweepOf(sql, swept)
  await sql.begin((tx) => cancelUnasked(tx, now))
  await parkUnjudged(sql, new Date(now.getTime() + 3_600_000))
  await sql`update vigia.lookup set remote_id = '1', sending_at = ${now} where id = ${overdue}`
  await ask(batch, 'overdue')
}

const newBatch = async (sql: Database, source: 'cli' | 'sweep' = 'cli'): Promise<bigint> => {
  const limits = { maxSpend: null, confirmAbove: null, encoding: 'utf8' as const, spreadsheets: false }
  const file = { name: 'people', fileName: null, fileId: null }
  const asked = { organizationId: 7, kind: 'analysis' as const, source, submittedBy: null, state: 'running' as const }
  return (await insertBatch(sql, { ...asked, ...file, ...limits }))!
}

const endSweepOf = async (sql: Database, batchId: bigint): Promise<void> => {
  const [sweep] = await sql<{ id: bigint }[]>`
    insert into vigia.sweep (name, slot, state, trigger) values ('radars', 'x', 'done', 'operator') returning id`
  await sql`update vigia.batch set sweep_id = ${sweep!.id} where id = ${batchId}`
}
