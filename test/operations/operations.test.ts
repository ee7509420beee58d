import { expect, test } from 'vitest'
import { laneOperations } from '../../src/operations/lanes.ts'
import { perform } from '../../src/operations/operation.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { contextOf } from '../../src/web/site/site.ts'
import { call } from '../cli/call.ts'
import { cpf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { sharedWeb, webOptionsOf } from '../web/setup.ts'

const t = await sharedWeb()
const token = await t.operator('ops')
const { organizationId } = t.sandbox.account

test('the reason of a hold may be left out and has one limit, on the command line, over the API and on the page', async () => {
  const lane = `${organizationId}/scr`
  const env = environmentOf(t.sandbox, t.databaseUrl, t.home)
  const hold = async (reason?: string) => {
    const { exitCode } = await call(['lane', 'hold', lane, ...(reason ? ['--reason', reason] : [])], env)
    const { status: ofApi } = await t.post(`/api/lanes/${lane}/hold`, token, { reason })
    const { status: ofPage } = await t.post('/system/lanes/hold', token, { lane, ...(reason && { reason }) })
    return { exitCode, ofApi, ofPage }
  }
  expect(await hold('x'.repeat(200))).toEqual({ exitCode: 0, ofApi: 200, ofPage: 303 })
  expect(await hold()).toEqual({ exitCode: 0, ofApi: 200, ofPage: 303 })
  expect(await hold('x'.repeat(201))).toEqual({ exitCode: 2, ofApi: 422, ofPage: 422 })

  const unknown = await call(['lane', 'hold', '99/scr'], env)
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('There is no such lane')])
})

test('an operation checks the role, and a refused input shows no document', async () => {
  const site = { ...webOptionsOf(t), link: null, secret: Buffer.alloc(32) }
  const lane = { organization: String(organizationId), kind: 'inactivation' }
  const as = (role: 'analyst' | 'ops', given: object) =>
    perform(laneOperations.hold, contextOf(site, { name: 'ana', role }), { ...lane, ...given })
  await expect(as('analyst', {})).rejects.toMatchObject({ status: 403, exitCode: 1 })
  await expect(as('ops', { kind: 'none' })).rejects.toMatchObject({ status: 404, exitCode: 2 })
  const wrong = await as('ops', { [cpf(1)]: 1 }).catch((error) => error)
  expect([wrong.status, wrong.message]).toEqual([422, expect.stringMatching(/^(?!.*\d{11})/)])
  expect(await as('ops', {})).toEqual({
    lane: `${organizationId}/${lane.kind}`,
    held: true,
    reason: expect.any(String),
  })
  expect(await t.sql`select what from vigia.audit where who = 'ana'`).toEqual([{ what: 'hold lane' }])
})

test('one document is looked up by hand, is bought once, and needs approval unless the call gives it', async () => {
  const lookUp = (body: object, as = token) => t.post('/api/lookups', as, body)
  const batchOf = async (answer: Promise<Response>) => BigInt((await (await answer).json()).batch)

  const first = await batchOf(lookUp({ document: cpf(1), maxSpend: 1 }))
  expect(await t.finished(first)).toMatchObject({ state: 'done', name: 'look-up', spent: 1 })
  expect(await t.json(`/api/batches/${first}/rows/2`, token)).toMatchObject({
    state: 'ok',
    answer: { classes: expect.anything() },
  })
  const again = await batchOf(lookUp({ document: cpf(1) }))
  expect(await t.finished(again)).toMatchObject({ state: 'done', spent: 0 })
  expect(again).not.toBe(first)
  const free = await batchOf(lookUp({ document: cpf(2), kind: 'processes' }))
  expect(await t.finished(free)).toMatchObject({ state: 'done' })
  expect(t.sandbox.charges()).toBe(1)

  const waits = await batchOf(lookUp({ document: cpf(2) }))
  await until(async () => (await readBatch(t.sql, waits))?.state === 'unconfirmed')
  const refused = await lookUp({ document: `${cpf(1)}0`, maxSpend: 1 })
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringMatching(/^(?!.*\d{11})/)])
  expect((await lookUp({ document: cpf(3), maxSpend: 1, organization: 99 })).status).toBe(422)
  expect((await lookUp({ document: cpf(3), maxSpend: 1 }, await t.operator('analyst'))).status).toBe(403)
  expect(t.sandbox.charges()).toBe(1)
})
