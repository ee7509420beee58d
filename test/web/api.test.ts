import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readAnalysisList } from '../../src/purchases/read-list.ts'
import { apiRoutes, describeApi } from '../../src/web/api/api-routes.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupWeb, sharedWeb } from './setup.ts'

const t = await sharedWeb({ config: { budget: { unitPrice: { amount: '1.90', currency: 'BRL' } } } })
const env = environmentOf(t.sandbox, t.databaseUrl, t.home)
const ops = await t.operator('ops')
const admin = await t.operator('admin')

test('a file goes through the API from upload to report, and nothing is spent before the approval', async () => {
  const file = csvOf([...cpfs(5, 10), '12'])
  const submitted = await (await t.upload('/api/batches', ops, ['people.csv', file], { kind: 'analysis' })).json()
  expect(submitted).toMatchObject({ repeated: false, workers: 1 })
  const address = `/api/batches/${submitted.batch}`
  await until(async () => (await t.json(address, ops)).state === 'unconfirmed')
  expect(await t.json(address, ops)).toMatchObject({ rows: 6, spend: { charged: 0, expected: 5 } })
  expect(t.sandbox.charges(cpf(10))).toBe(0)

  await t.post(`${address}/confirm`, ops)
  await until(async () => (await t.json(address, ops)).times.exported)
  expect(await t.json(address, ops)).toMatchObject({ state: 'done', states: { ok: 5, rejected: 1 } })
  expect(await t.json(`${address}/rows?outcome=rejected`, ops)).toMatchObject({
    rows: [{ line: 7, rejected: 'length', document: null }],
    next: null,
  })
  expect(await (await t.post(`${address}/pause`, ops)).json()).toMatchObject({ error: 'BatchRefusal' })
})

test('a parked purchase is settled by the number of its look-up, with the same output as on the command line', async () => {
  const batch = await t.done(csvOf(cpfs(2, 20)))
  const [first, second] = await t.sql<{ id: bigint }[]>`
    update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', as_of = null
     where batch_id = ${batch} returning id`
  await t.sql`delete from vigia.answer where lookup_id in ${t.sql([first!.id, second!.id])}`
  const { stdout } = await call(['resolve', '--lookup', String(first!.id), '--drop'], env)
  const resolve = () => t.post(`/api/parked/${second!.id}/resolve`, admin, { drop: true })
  const settled = await (await resolve()).json()

  expect(settled).toMatchObject({ lookup: Number(second!.id), state: 'cancelled', charged: 'unknown' })
  expect(settled.story.at(-1).what).toBe('dropped by admin')
  expect(stdout).toMatch(/^Look-up \d+ is cancelled, charged: unknown\n.* dropped by \S+ \(cli\)\n$/s)
  expect((await resolve()).status).toBe(409)
})

test('a retry shows its cost, and takes states and a new limit as the command line does', async () => {
  const id = await t.done(csvOf(cpfs(5, 30)), { maxSpend: 2 })
  const quote = (query: string) => t.json(`/api/batches/${id}/retry${query}`, ops)
  const retry = async (body: object) => {
    const answer = await t.post(`/api/batches/${id}/retry`, ops, body)
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
    expect((await t.call(`/api/batches/${id}/retry${query}`, { token: ops })).status, query).toBe(422)
  }
  expect((await retry({ state: ['failed'] })).body).toMatchObject({ rows: 0, retried: 0 })

  expect((await retry({ maxSpend: 4 })).body).toMatchObject({ rows: 3, retried: 3, price: { cents: 380 } })
  expect(await t.finished(id)).toMatchObject({ spent: 4, maxSpend: 4 })
  expect(cpfs(5, 30).reduce((sum, document) => sum + t.sandbox.charges(document), 0)).toBe(4)
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
  const retry = await t.post(`/api/batches/${id}/retry`, token, { maxSpend: 5 })
  expect(await retry.json()).toMatchObject({ retried: 1, toBePaid: bought })
  expect(await t.sql`select (detail ->> 'toBePaid')::int as paid from vigia.audit where what = 'retry'`).toEqual([
    { paid: bought },
  ])

  expect(await t.finished(id)).toMatchObject({ spent: bought })
  expect(t.sandbox.charges() - before).toBe(bought)
})

test('an invalid request is refused with the reason', async () => {
  const id = await t.done(csvOf(cpfs(1, 40)))
  const wrong = await t.call('/api/batches?limit=many', { token: admin })
  expect([wrong.status, (await wrong.json()).message]).toEqual([422, expect.stringContaining('limit: ')])
  for (const path of ['/api/batches/x', '/api/batches/99', `/api/batches/${id}/rows/9`, '/api/nothing'])
    expect((await t.call(path, { token: admin })).status, path).toBe(404)
})

test('the API description in the repository is the one that is served', async () => {
  const stored = JSON.parse(readFileSync(new URL('../../openapi/vigia.json', import.meta.url), 'utf8'))
  expect(stored, 'run: node openapi/write.ts').toEqual(JSON.parse(JSON.stringify(describeApi(apiRoutes))))
})
