import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { advance } from '../../src/domain/advance.ts'
import type { Ending } from '../../src/domain/ending.ts'
import { finalStates, type Lookup, openStates } from '../../src/domain/lookup.ts'
import { releaseOrphans } from '../../src/queue/boss-tables.ts'
import { AccessDenied, Outage, PlanBlocked, TokenDead, TooManyRequests } from '../../src/registry/errors.ts'
import { insertBatch } from '../../src/store/batches/batches.ts'
import { cancelQueued } from '../../src/store/batches/steering.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { readServer } from '../../src/store/fleet/workers.ts'
import { askLookups } from '../../src/store/lookups/ask-lookups.ts'
import { handToJobs, releaseFromDead } from '../../src/store/lookups/due-lookups.ts'
import { beginSending, endOverBudget } from '../../src/store/lookups/lookup-steps.ts'
import { endOverdue } from '../../src/store/lookups/overdue.ts'
import { cancelUnasked } from '../../src/store/radars/sweep-organizations.ts'
import { ptBr } from '../../src/web/words/pt-br.ts'
import { createDatabase } from '../support/database.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setupWeb } from './setup.ts'

const root = resolve(import.meta.dirname, '../..')

/** Words that a Portuguese sentence has no use for; what the registry said in its own words has none of them here. */
const english = /\b(the|was|were|by|not|answered|answer|sent|its|it|is|with|will|again|has|have|and|but|of|list)\b/i

const isTold = (sentence: string): boolean => ptBr.tell(sentence) !== sentence && !english.test(ptBr.tell(sentence))

const untold = (sentences: Iterable<string>): string[] => [...new Set(sentences)].filter((each) => !isTold(each))

test('every story that the state machine can write has a Portuguese wording', () => {
  expect(untold(storiesOfAdvance())).toEqual([])
})

test('every story that the database writes has a Portuguese wording', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  const stories = await writtenStories(sql).finally(async () => {
    await sql.end()
    await database.drop()
  })
  expect(stories).toHaveLength(8)
  expect(untold(stories)).toEqual([])
})

test('every story of a person’s word has a Portuguese wording', () => {
  expect(untold(matches('src/batches', /`((?:adopted|sent again|dropped) by [^`]+)`/g))).toEqual([])
})

test('every reason that Vigia itself gives has a Portuguese wording', () => {
  const given = [
    ...matches('jobs', /(?:giveUp\('\w+', |undecided\()'([^']+)'/g),
    ...matches('src/domain', /(?:reason: |detail: |refuse\('\w+', |=> )[`']([a-z$1][^`']* [^`']+)[`']/g),
    ...matches('src/store', /(?:detail = |then |coalesce\([\w.]+, )'([a-z]+ [^']+)'(?! \|\|)/g),
    ...matches('src/engine', /reason(?:: | = )['`"]([^`"]+?)['`"](?: }|\n)/g),
    ...matches('src/batches', /detail: [`']([^`']+)[`']/g),
  ]
  expect(given.length).toBeGreaterThan(25)
  expect(untold(given)).toEqual([])
})

test('every failure of a call has a Portuguese wording', () => {
  const endpoint = 'POST /v2/analytics/{analysisId}'
  const afterEndpoint = [
    ...matches('src/registry', /new (?:Unanswered|TokenDead)\(\w+(?:\(question\))?, [`']([^`']+)[`']/g),
    'answered 502 with an empty body',
    'answered 502 with HTML',
    'answered 502 with a body that is not JSON',
    'answered 200 with a body of another shape, see register.status',
  ].map((what) => `${endpoint} ${what}`)
  const notSent = matches(
    'src/registry',
    /(?:new NotSent\((?:endpoint(?:Of\(question\))?|'The request'), |keptBack\(way, )[`']([^`']+)[`']/g,
  )
  const failures = [
    ...afterEndpoint,
    ...notSent.map((why) => `${endpoint} was not sent: ${why}`),
    ...[
      new Outage(endpoint, 3_000),
      new PlanBlocked(endpoint, 200, 'PLAN_NOT_ALLOWED: plano esgotado'),
      new AccessDenied(endpoint, 403, 'without a reason'),
      new TokenDead(endpoint, 'answered 401, the token is not accepted'),
      new TooManyRequests(endpoint),
    ].map(({ message }) => message),
  ]
  expect(afterEndpoint.length).toBeGreaterThan(8)
  expect(notSent.length).toBeGreaterThan(4)
  expect(untold(failures)).toEqual([])
})

test('every refusal of what a person asks for has a Portuguese wording', () => {
  const refusals = [
    ...matches('src/batches', /new BatchRefusal\(\s*[`']([^`]+?)[`']\s*,?\s*\)/g),
    ...matches('src/monitoring', /new SweepRefusal\(\s*[`']([^`]+?)[`']\s*,?\s*\)/g),
    ...matches('src/batches', /[?:] `(Batch [^`]+)`/g),
    ...matches('src/web', /'wrong_request', [`']([^`']+)[`']/g),
  ]
  expect(refusals.length).toBeGreaterThan(12)
  expect(untold(refusals)).toEqual([])
})

test('a row tells its story in the language of the browser', async () => {
  await using t = await setupWeb()
  const token = await t.operator('analyst')
  await t.finished(await t.submit(csvOf([...cpfs(1), '12'])))
  const read = async (path: string, language: string) =>
    (await t.call(path, { token, headers: { 'accept-language': language } })).text()
  expect(await read('/batches/1/rows/2', 'en')).toContain('intent recorded')
  expect(await read('/batches/1/rows/2', 'pt-BR')).toContain('intenção de enviar registrada')
  expect(await read('/batches/1/rows/3', 'pt-BR')).toContain('2 dígitos: um CPF tem 11')
  expect(await read('/batches/9', 'pt-BR')).toContain('Não existe o lote 9.')
})

test('what nobody has worded yet, and what a person wrote, stays as it is', () => {
  expect(ptBr.tell('something new happened: twice')).toBe('something new happened: twice')
  expect(ptBr.tell('refused: POST /v1/cnh answered 400 Documento inexistente')).toBe(
    'recusada: POST /v1/cnh respondeu 400 Documento inexistente',
  )
})

/** Lets each statement that adds to a story add to one: what they wrote, without its time. */
async function writtenStories(sql: Database): Promise<string[]> {
  const now = new Date()
  const [jobId, gone] = [randomUUID(), randomUUID()]
  const [batch, cancelled, swept] = [await newBatch(sql), await newBatch(sql), await newBatch(sql, 'sweep')]
  const asking = { organizationId: 7, kind: 'analysis' as const, freshSince: new Date(0), deadlineAt: new Date(0), now }
  const ask = async (batchId: bigint, question: string, deadlineAt = new Date(now.getTime() + 60_000)) => {
    const questions = [{ question, documentType: null, label: null }]
    return (await askLookups(sql, questions, { ...asking, batchId, deadlineAt }))[0]!.id
  }
  const [overdue, sent, beyond, orphan, dead] = [
    await ask(batch, 'overdue', new Date(now.getTime() - 1)),
    ...(await Promise.all(['sent', 'beyond', 'orphan', 'dead'].map((question) => ask(batch, question)))),
  ]
  await ask(cancelled, 'cancelled')
  await ask(swept, 'swept')
  await endOverdue(sql, now)
  await endOverBudget(sql, batch, [beyond!], now)
  await handToJobs(sql, [sent!, dead!, orphan!], [jobId, jobId, gone])
  const { start: server } = await readServer(sql)
  await beginSending(sql, [sent!], jobId, { now, judgedAt: now, server })
  await releaseFromDead(sql, [dead!], jobId, 1, now)
  await releaseOrphans(sql, now)
  await cancelQueued(sql, cancelled, now)
  await endSweepOf(sql, swept)
  await cancelUnasked(sql, now)
  await sql`update lookup set remote_id = '1', sending_at = ${now} where id = ${overdue}`
  await ask(batch, 'overdue')
  const rows = await sql<{ story: string }[]>`
    select distinct substr(line, position(' ' in line) + 1) as story from lookup, unnest(trace) as line`
  return rows.map(({ story }) => story)
}

const newBatch = async (sql: Database, source: 'cli' | 'sweep' = 'cli'): Promise<bigint> => {
  const limits = { maxSpend: null, confirmAbove: null, encoding: 'utf8' as const, spreadsheets: false }
  const file = { name: 'people', fileName: null, fileId: null }
  const asked = { organizationId: 7, kind: 'analysis' as const, source, submittedBy: null, state: 'running' as const }
  return (await insertBatch(sql, { ...asked, ...file, ...limits }))!
}

const endSweepOf = async (sql: Database, batchId: bigint): Promise<void> => {
  const [sweep] = await sql<{ id: bigint }[]>`
    insert into sweep (name, slot, state, trigger) values ('radars', 'x', 'done', 'operator') returning id`
  await sql`
    insert into sweep_organization (sweep_id, organization_id, analysis_batch_id) values (${sweep!.id}, 7, ${batchId})`
}

/** Every open state meets every ending, before and after its deadline, at the first try and at the last. */
function* storiesOfAdvance(): Generator<string> {
  const patience = { pollFirstMs: 1, pollMaxMs: 1, deadlineMs: 1, requestTimeoutMs: 1, retries: 1 }
  for (const state of openStates)
    for (const ending of endings)
      for (const attempts of [0, 1])
        for (const now of [new Date(1), new Date(3)])
          yield advance({ ...lookup, state, attempts, absentAt: attempts ? now : null }, ending, patience, now).story
}

const lookup: Lookup = {
  id: 1n,
  organizationId: 1,
  kind: 'analysis',
  question: '12345678909',
  documentType: 'CPF',
  label: null,
  state: 'queued',
  remote: null,
  sendingAt: new Date(0),
  deadlineAt: new Date(2),
  attempts: 0,
  polls: 0,
  absentAt: null,
  readingId: null,
  charged: 'no',
}

const reason = 'POST /v2/analytics answered 500 InternalServerError'
const endings: Ending[] = [
  ...[null, 'PROCESSING'].flatMap((seen): Ending[] => [
    { is: 'ok', answer: {}, asOf: null, remote: null, seen },
    { is: 'accepted', remote: null, seen },
    { is: 'adopted', remote: null, seen },
    { is: 'later', seen },
  ]),
  ...finalStates
    .filter((state) => ['not_found', 'invalid_document', 'failed'].includes(state))
    .map((state): Ending => ({ is: 'given_up', state, reason })),
  ...(['refused', 'not_sent', 'silence'] as const).map((is): Ending => ({ is, reason, retryAfterMs: undefined })),
  ...(['token', 'plan', 'denied', 'outage', 'budget', 'operator'] as const).map(
    (cause): Ending => ({ is: 'held', cause, reason }),
  ),
  { is: 'put_back', reason },
  { is: 'absent', lateAt: null },
  { is: 'unproven', reason, lateAt: null },
  { is: 'unjudged', reason },
  { is: 'undecided', reason },
]

/** The texts in the sources of a folder, each blank filled with a number; those made of other texts are left out. */
function matches(folder: string, pattern: RegExp): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  return files
    .flatMap((file) =>
      [...readFileSync(join(root, folder, file), 'utf8').matchAll(pattern)].map(([, text]) => text as string),
    )
    .map((text) => text.replace(/\$\{[^}]*\}/g, '7'))
    .filter((text) => !/\$\{|with 7$|[a-z]7$|^7 7$/.test(text))
}
