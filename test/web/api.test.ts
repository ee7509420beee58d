import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRowHistory } from '../../src/batches/own-rows.ts'
import { maskDocument } from '../../src/domain/document.ts'
import { maskLine } from '../../src/log/mask.ts'
import { readAnalysisList } from '../../src/purchases/read-list.ts'
import { apiRoutes, describeApi } from '../../src/web/api/api-routes.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupWeb, sharedWeb } from './setup.ts'

const t = await sharedWeb()
const admin = await t.operator('admin')
const analyst = await t.operator('analyst')

test('a file goes through the API from upload to report, and nothing is spent before the approval', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const ask = async (method: string, path: string) => (await t.call(path, { token, method })).json()
  const body = new FormData()
  body.append('kind', 'analysis')
  body.append('file', new Blob([csvOf([...cpfs(5), '12'])]), 'people.csv')

  const submitted = await (await t.call('/api/batches', { token, method: 'POST', body })).json()
  expect(submitted).toMatchObject({ batch: 1, repeated: false, workers: 1 })
  await until(async () => (await ask('GET', '/api/batches/1')).state === 'unconfirmed')
  expect(await ask('GET', '/api/batches/1')).toMatchObject({ rows: 6, spend: { charged: 0, expected: 5 } })
  expect(t.sandbox.charges()).toBe(0)

  await ask('POST', '/api/batches/1/confirm')
  await until(async () => (await ask('GET', '/api/batches/1')).times.exported)
  expect(await ask('GET', '/api/batches/1')).toMatchObject({ state: 'done', states: { ok: 5, rejected: 1 } })
  expect(await ask('GET', '/api/batches/1/rows?outcome=rejected')).toMatchObject({
    rows: [{ line: 7, rejected: 'length', document: null }],
    next: null,
  })
  expect(await ask('POST', '/api/batches/1/pause')).toMatchObject({ error: 'BatchRefusal' })
})

test('the history of a row is the same as on the command line, and its document is masked', async () => {
  const id = await t.done(csvOf([...cpfs(1), '12']))
  const read = (line: number) => t.json(`/api/batches/${id}/rows/${line}`, analyst)
  const [asked, rejected] = [await read(2), await read(3)]
  expect(asked).toEqual(await readRowHistory(t.sql, id, { line: 2 }, maskLine))
  expect(asked).toMatchObject({ state: 'ok', pays: true, document: maskDocument(cpf(0)), lookup: { charged: 'yes' } })
  expect(asked.story.length).toBeGreaterThan(1)
  expect(JSON.stringify(asked)).not.toContain(cpf(0))
  expect(rejected).toMatchObject({ state: 'rejected', rejected: 'length', lookup: null, story: [] })
  expect((await t.call(`/api/batches/${id}/rows/9`, { token: analyst })).status).toBe(404)
  expect((await t.call(`/batches/${id}/rows/9`, { token: analyst })).status).toBe(404)
})

test('a parked purchase is settled by the number of its look-up, with the same output as on the command line', async () => {
  await using t = await setupWeb()
  const token = await t.operator('admin')
  await t.done(csvOf(cpfs(2)))
  const [first, second] = await t.sql<{ id: bigint }[]>`
    update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', as_of = null returning id`
  await t.sql`delete from vigia.answer`
  const env = environmentOf(t.sandbox, t.databaseUrl, t.home)
  const { stdout } = await call(['resolve', '--lookup', String(first!.id), '--drop'], env)
  const headers = { 'content-type': 'application/json' }
  const resolve = `/api/parked/${second!.id}/resolve`
  const settled = await (await t.call(resolve, { token, method: 'POST', body: '{"drop":true}', headers })).json()

  expect(settled).toMatchObject({ lookup: Number(second!.id), state: 'cancelled', charged: 'unknown' })
  expect(settled.story.at(-1).what).toBe('dropped by admin')
  expect(stdout).toMatch(/^Look-up \d+ is cancelled, charged: unknown\n.* dropped by \S+ \(cli\)\n$/s)
  expect((await t.call(resolve, { token, method: 'POST', body: '{"drop":true}', headers })).status).toBe(409)
})

test('a retry shows its cost, and takes states and a new limit as the command line does', async () => {
  await using t = await setupWeb({ config: { budget: { unitPrice: { amount: '1.90', currency: 'BRL' } } } })
  const token = await t.operator('ops')
  const id = await t.done(csvOf(cpfs(5)), { maxSpend: 2 })
  const env = environmentOf(t.sandbox, t.databaseUrl, t.home)
  const quote = async (query: string) => (await t.call(`/api/batches/${id}/retry${query}`, { token })).json()
  const retry = async (body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await t.call(`/api/batches/${id}/retry`, {
      token,
      method: 'POST',
      body: JSON.stringify(body),
      headers,
    })
    return { status: answer.status, body: await answer.json() }
  }

  expect(await quote('')).toMatchObject({ rows: 3, toBePaid: 3, price: { cents: 0 }, retried: 0 })
  expect(await quote('?state=failed,timed_out')).toMatchObject({ rows: 0, toBePaid: 0 })
  expect(await quote('?maxSpend=4')).toMatchObject({ toBePaid: 3, price: { cents: 380 } })
  const { stdout } = await call(['retry', String(id), '--json'], env)
  expect(Object.keys(JSON.parse(stdout))).toEqual(Object.keys(await quote('')))
  expect((await retry({ state: ['unknown_outcome'] })).status).toBe(422)
  expect((await retry({ maxSpend: 1 })).status).toBe(409)
  expect(await retry({})).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('set a higher limit') },
  })
  for (const query of ['?maxSpend=', '?states=failed', '?state=unknown_outcome']) {
    expect((await t.call(`/api/batches/${id}/retry${query}`, { token })).status, query).toBe(422)
  }
  expect((await retry({ state: ['failed'] })).body).toMatchObject({ rows: 0, retried: 0 })

  expect((await retry({ maxSpend: 4 })).body).toMatchObject({ rows: 3, retried: 3, price: { cents: 380 } })
  expect(await t.finished(id)).toMatchObject({ spent: 4, maxSpend: 4 })
  expect(t.sandbox.charges()).toBe(4)
})

test.each([
  [true, 0],
  [false, 1],
])('a retry takes what was bought elsewhere where purchases.adopt says so: %s', async (adopt, bought) => {
  await using t = await setupWeb({ config: { purchases: { adopt, listLag: '1ms' } } })
  const token = await t.operator('ops')
  const id = await t.done(csvOf(cpfs(1)), { maxSpend: 0 })
  t.sandbox.alreadyGenerated(cpf(0))
  const before = t.sandbox.charges()
  await readAnalysisList({ ...t.tools, requestTimeoutMs: 1_000, lagMs: 0, shows: null }, t.sandbox.account)
  const headers = { 'content-type': 'application/json' }
  const retry = await t.call(`/api/batches/${id}/retry`, { token, method: 'POST', body: '{"maxSpend":5}', headers })
  expect(await retry.json()).toMatchObject({ retried: 1, toBePaid: bought })
  expect(await t.sql`select (detail ->> 'toBePaid')::int as paid from vigia.audit where what = 'retry'`).toEqual([
    { paid: bought },
  ])

  expect(await t.finished(id)).toMatchObject({ spent: bought })
  expect(t.sandbox.charges() - before).toBe(bought)
})

test('an invalid request is refused with the reason', async () => {
  const wrong = await t.call('/api/batches?limit=many', { token: admin })
  expect([wrong.status, (await wrong.json()).message]).toEqual([422, expect.stringContaining('limit: ')])
  expect((await t.call('/api/batches/x', { token: admin })).status).toBe(404)
  expect((await t.call('/api/batches/99', { token: admin })).status).toBe(404)
  expect((await t.call('/api/nothing', { token: admin })).status).toBe(404)
})

test('the API description in the repository is the one that is served', async () => {
  const stored = JSON.parse(readFileSync(new URL('../../openapi/vigia.json', import.meta.url), 'utf8'))
  expect(stored, 'run: node openapi/write.ts').toEqual(JSON.parse(JSON.stringify(describeApi(apiRoutes))))
})
