import { expect, test } from 'vitest'
import { laneOperations } from '../../src/operations/lanes.ts'
import { perform } from '../../src/operations/operation.ts'
import { contextOf } from '../../src/web/site/site.ts'
import { call } from '../cli/call.ts'
import { cpf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { setupWeb, webOptionsOf } from '../web/setup.ts'

test('the reason of a hold may be left out and has one limit, on the command line, over the API and on the page', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const lane = `${t.sandbox.account.organizationId}/scr`
  const env = environmentOf(t.sandbox, t.databaseUrl, t.home)
  const hold = async (reason?: string) => {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ reason }) }
    const form = { body: new URLSearchParams({ lane, ...(reason && { reason }) }) }
    const { exitCode } = await call(['lane', 'hold', lane, ...(reason ? ['--reason', reason] : [])], env)
    const { status: ofApi } = await t.call(`/api/lanes/${lane}/hold`, { token, method: 'POST', ...json })
    const { status: ofPage } = await t.call('/system/lanes/hold', { token, method: 'POST', ...form })
    return { exitCode, ofApi, ofPage }
  }
  expect(await hold('x'.repeat(200))).toEqual({ exitCode: 0, ofApi: 200, ofPage: 303 })
  expect(await hold()).toEqual({ exitCode: 0, ofApi: 200, ofPage: 303 })
  expect(await hold('x'.repeat(201))).toEqual({ exitCode: 2, ofApi: 422, ofPage: 422 })

  const unknown = await call(['lane', 'hold', '99/scr'], env)
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('There is no such lane')])
})

test('an operation checks the role, and a refused input shows no document', async () => {
  await using t = await setupWeb()
  const site = { ...webOptionsOf(t), link: null, secret: Buffer.alloc(32) }
  const lane = { organization: String(t.sandbox.account.organizationId), kind: 'scr' }
  const as = (role: 'analyst' | 'ops', given: object) =>
    perform(laneOperations.hold, contextOf(site, { name: 'ana', role }), { ...lane, ...given })
  await expect(as('analyst', {})).rejects.toMatchObject({ status: 403, exitCode: 1 })
  await expect(as('ops', { kind: 'none' })).rejects.toMatchObject({ status: 404, exitCode: 2 })
  const wrong = await as('ops', { [cpf(1)]: 1 }).catch((error) => error)
  expect([wrong.status, wrong.message]).toEqual([422, expect.stringMatching(/^(?!.*\d{11})/)])
  expect(await as('ops', {})).toEqual({ lane: `${lane.organization}/scr`, held: true, reason: expect.any(String) })
  expect(await t.sql`select who, what from vigia.audit`).toEqual([{ who: 'ana', what: 'hold lane' }])
})
