import { expect, test } from 'vitest'
import { hasLicence } from '../../src/sandbox/data/people.ts'
import { type OperationName, operations } from '../../src/sandbox/operations.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { type Answer, setup } from './ask.ts'

const withLicence = cpfs(50).find((document) => hasLicence(document, 1)) as string
const withoutLicence = cpfs(50).find((document) => !hasLicence(document, 1)) as string

/** Every field of the interface and no other: the schema, which drops unknown fields, returns the same body. */
const expectExactly = (operation: OperationName, answer: Answer<unknown>) => {
  expect(answer.status).toBeLessThan(300)
  expect(operations[operation].reply.parse(answer.body)).toEqual(answer.body)
}

test('generates an analysis, charges one unit, and consults it to the end', async () => {
  await using t = await setup({ readyAfterMs: 1000 })

  const created = await t.generate(cpf(1))
  expectExactly('generate', created)
  const { userPlanConsumeAnalyticsId: id, userPlanConsumeUniqueId: uniqueId } = created.body.result

  const early = await t.consult(id, uniqueId)
  expectExactly('consult', early)
  expect(early.body.register).toMatchObject({
    statusIndex: 'PROCESSING',
    statusReport: 'INITIAL',
    status: 'PROCESSING',
  })

  t.clock.at += 600
  expect((await t.consult(id, uniqueId)).body.register).toMatchObject({
    statusIndex: 'DONE',
    statusReport: 'PROCESSING',
  })

  t.clock.at += 400
  const done = await t.consult(id, uniqueId)
  expect(done.body.register).toMatchObject({
    statusIndex: 'DONE',
    statusReport: 'DONE',
    status: 'DONE',
    statusProtest: 'DONE',
  })
  expect(Object.keys(done.body.register.summary)).toHaveLength(20)
  expect(done.body.register.createdAt).toBe('15/11/2026 09:00:00')
  expect(t.sandbox.charges(cpf(1))).toBe(1)
})

test('charges again for the same document, because there is no idempotency key', async () => {
  await using t = await setup()
  const first = await t.generate(cpf(1))
  const second = await t.generate(cpf(1))
  expect(second.body.result.userPlanConsumeUniqueId).toBe(first.body.result.userPlanConsumeUniqueId)
  expect(second.body.result.lastUserPlanConsumeAnalytics).toBe(first.body.result.userPlanConsumeAnalyticsId)
  expect(t.sandbox.charges(cpf(1))).toBe(2)
})

test('does not give an analysis to another organization, nor under a wrong unique id', async () => {
  await using t = await setup()
  const { result } = (await t.generate(cpf(1))).body
  const { organizationId, holderId } = t.sandbox.accounts[1]
  const body = { organizationId, holderId, userPlanConsumeUniqueId: result.userPlanConsumeUniqueId }
  const foreign = await t.ask('POST', `/v2/analytics/${result.userPlanConsumeAnalyticsId}`, body)
  expect(foreign.body).toEqual({ success: false, reason: 'Analysis not found' })
  const wrong = await t.consult(result.userPlanConsumeAnalyticsId, 1)
  expect(wrong.body).toEqual({ success: false, reason: 'Analysis not found' })
})

test('lists every analysis under its document, newest document first', async () => {
  await using t = await setup()
  await t.generate(cpf(1))
  t.clock.at += 5
  await t.generate('12ABC34501DE35')
  await t.generate(cpf(1))

  const list = await t.activities()

  expectExactly('activities', list)
  expect(list.body).toMatchObject({ sucess: true, total: 2, from: 0, to: 2, limit: 10_000 })
  expect(list.body.result.map((item) => [item.documentNumber, item.documentType, item.consume])).toEqual([
    ['12ABC34501DE35', 'CNPJ', 1],
    [cpf(1), 'CPF', 2],
  ])
  expect(list.body.result[1]?.userPlanConsumeAnalytics.map((item) => item.createdAt)).toEqual([
    '2026-11-15T12:00:00.000Z',
    '2026-11-15T12:00:00.005Z',
  ])
})

test('an organization sees only its own analyses', async () => {
  await using t = await setup()
  await t.generate(cpf(1))
  t.sandbox.alreadyGenerated(cpf(2), t.sandbox.accounts[1])
  expect((await t.activities()).body.result.map((item) => item.documentNumber)).toEqual([cpf(1)])
})

test('queues a CNH request and fills its data when it is ready', async () => {
  await using t = await setup({ readyAfterMs: 1000 })

  const created = await t.cnhCreate(withLicence)
  expectExactly('cnhCreate', created)
  expect(created.body).toMatchObject({ status: 'PENDING', data: null, updatedAt: null })

  t.clock.at += 999
  expect((await t.cnhRead(created.body.requestId)).body).toMatchObject({ status: 'PROCESSING', data: null })
  t.clock.at += 1
  const done = await t.cnhRead(created.body.requestId)
  expectExactly('cnhRead', done)
  expect(done.body.data).toMatchObject({ nome: expect.any(String) })

  const latest = await t.cnhLatest(withLicence)
  expectExactly('cnhLatest', latest)
  expect(latest.body).toEqual(done.body)
  expect(t.sandbox.charges(withLicence, 'cnh')).toBe(1)
})

test('answers 404 to a finished request for a CPF without a licence, and for a CPF that was never requested', async () => {
  await using t = await setup()
  expect((await t.cnhLatest(withoutLicence)).status).toBe(404)
  const { requestId } = (await t.cnhCreate(withoutLicence)).body
  expect((await t.cnhRead(requestId)).status).toBe(404)
  expect((await t.cnhLatest(withoutLicence)).body).toMatchObject({ requestId, status: 'NOT_FOUND', data: null })
  t.sandbox.setScenario({ hidesAbsentCnh: true })
  expect((await t.cnhLatest(withoutLicence)).status).toBe(404)
})

test('counts the processes that the analysis of the same document shows', async () => {
  await using t = await setup()
  for (const document of cpfs(20)) {
    const { consult } = await t.analyze(document)
    const count = await t.processCount(document)
    expectExactly('processCount', count)
    expect(count.body.total).toBe((await consult()).summary.ALL?.totalProcess)
  }
})

test('adds radars and lists them in either order', async () => {
  await using t = await setup()
  const added = await t.radarAdd(cpf(1), 'Ana')
  expectExactly('radarAdd', added)
  expect(added.body).toEqual({ name: 'Ana', code: cpf(1), type: 'CPF' })
  await t.radarAdd(cpf(2), 'Bruno')

  const list = await t.radarList()
  expectExactly('radarList', list)
  expect(list.body.map(({ radar }) => radar.name)).toEqual(['Ana', 'Bruno'])
  expect(list.body[0]?.radar.preProcessedAt).toBe('2026-11-15T09:00:00')
  expect((await t.radarList('?order=DESC')).body.map(({ radar }) => radar.name)).toEqual(['Bruno', 'Ana'])
})

test('lists an empty organization as an empty array', async () => {
  await using t = await setup()
  expect((await t.radarList()).text).toBe('[]')
})

test('inactivates a process, as often as it is requested', async () => {
  await using t = await setup()
  for (const _ of [1, 2]) {
    const answer = await t.inactivate('0058967-77.2016.8.19.0000')
    expectExactly('inactivate', answer)
    expect(answer.body).toMatchObject({ sucess: true, reason: null, process: { status: 'INACTIVE' } })
  }
  expect(t.sandbox.records.inactive.size).toBe(1)
})

test('answers SCR with PROCESSING first and with the indicators later, for every plan by itself', async () => {
  await using t = await setup({ readyAfterMs: 1000 })
  expect((await t.scr(cpf(1))).body).toMatchObject({ status: 'PROCESSING' })
  t.clock.at += 1000
  const done = await t.scr(cpf(1))
  expectExactly('scr', done)
  expect(done.body).toMatchObject({ document: cpf(1), score: expect.any(Number) })
  expect((await t.scr(`${cpf(1)}?planId=${t.sandbox.accounts[1].planId}`)).body).toMatchObject({ status: 'PROCESSING' })
})

test('starts a new SCR query on the next simulated day', async () => {
  await using t = await setup({ readyAfterMs: 1000 })
  await t.scr(cpf(1))
  t.clock.at += 1000
  t.sandbox.advanceDays(1)
  expect((await t.scr(cpf(1))).body).toMatchObject({ status: 'PROCESSING' })
})

test('has no other operations', async () => {
  await using t = await setup()
  expect((await t.ask('GET', '/v2/analytics')).status).toBe(404)
  expect((await t.ask('DELETE', '/v1/cnh')).status).toBe(404)
  expect(t.sandbox.ledger.totals.received).toBe(0)
})
