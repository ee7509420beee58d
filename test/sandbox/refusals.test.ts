import { expect, test } from 'vitest'
import { foreignAccount, tokenWithoutEmail } from '../../src/sandbox/tokens.ts'
import { cpf } from '../support/documents.ts'
import { callsTo, setup } from './ask.ts'

const denied = { message: 'User / Organization - Access Denied', error: 'ErrorForbiddenException' }
const planNotAllowed = { status: 'PLAN_NOT_ALLOWED', message: expect.any(String) }
const invalidDocument = { status: 'INVALID_DOCUMENT', message: expect.any(String) }
const lawsuit = '0058967-77.2016.8.19.0000'

test('denies every operation of an organization that the caller may not use', async () => {
  await using t = await setup()
  const foreign = callsTo(t.sandbox.url, { account: foreignAccount, token: t.sandbox.credentials.token })
  const answers = await Promise.all([
    foreign.generate(cpf(1)),
    foreign.consult(1, 1),
    foreign.activities(),
    foreign.cnhCreate(cpf(1)),
    foreign.cnhRead('x'),
    foreign.cnhLatest(cpf(1)),
    foreign.processCount(cpf(1)),
    foreign.radarAdd(cpf(1)),
    foreign.radarList(),
    foreign.inactivate(lawsuit),
  ])
  for (const { body } of answers) expect(body).toEqual(denied)
  expect(t.sandbox.charges()).toBe(0)
})

test('denies a holder that is not the organization’s, and an organization that the scenario denies', async () => {
  await using t = await setup()
  expect((await t.ask('GET', '/v1/holder/999/organization/7001/activities')).body).toEqual(denied)
  t.sandbox.setScenario({ deniedOrganizations: [7001] })
  expect((await t.generate(cpf(1))).body).toEqual(denied)
})

test('says what a process inactivation lacks', async () => {
  await using t = await setup()
  const required = {
    message: 'Parameter processNumber and organizationId are required',
    error: 'WrongParameterException',
  }
  expect((await t.ask('PUT', '/v1/organization//process/1/INACTIVE')).body).toEqual(required)
  expect((await t.ask('PUT', '/v1/organization/7001/process//INACTIVE')).body).toEqual(required)
  expect((await t.inactivate('1')).body).toEqual({
    message: 'processNumber not exist',
    error: 'ObjectNotFoundException',
  })

  const nobody = callsTo(t.sandbox.url, { account: t.sandbox.account, token: tokenWithoutEmail })
  expect((await nobody.inactivate(lawsuit)).body).toEqual({
    message: 'email required',
    error: 'ObjectNotFoundException',
  })
})

test('fails with the interface’s server error', async () => {
  await using t = await setup({ scenario: { faults: [{ operation: 'inactivate', fault: 'serverError' }] } })
  const answer = await t.inactivate(lawsuit)
  expect(answer.status).toBe(500)
  expect(answer.body).toEqual({ message: 'Internal server error', error: 'InternalServerError' })
  expect(t.sandbox.records.inactive.size).toBe(0)
})

test('answers the three SCR statuses and the typed error', async () => {
  await using t = await setup({ readyAfterMs: 1000 })
  expect((await t.scr(cpf(1))).body).toEqual({ status: 'PROCESSING', message: expect.any(String) })
  expect((await t.scr('12345678900')).body).toEqual(invalidDocument)
  expect((await t.scr(`${cpf(1)}?planId=999`)).body).toEqual(planNotAllowed)
  t.sandbox.setScenario({ plans: { 31: { excludes: ['scr'] } } })
  expect((await t.scr(cpf(1))).body).toEqual(planNotAllowed)
  t.sandbox.setScenario({ faults: [{ operation: 'scr', fault: 'typedError' }] })
  expect((await t.scr(cpf(1))).body).toEqual({ type: expect.any(String), message: expect.any(String) })
})

test('refuses invalid documents without charging them', async () => {
  await using t = await setup()
  expect((await t.generate('11111111111')).body).toEqual(invalidDocument)
  expect((await t.generate('LBNXQOB5000163')).body).toEqual(invalidDocument)
  expect((await t.cnhCreate('12ABC34501DE35')).body).toEqual(invalidDocument)
  expect((await t.processCount('12345678900')).body).toEqual(invalidDocument)
  expect((await t.radarAdd('12345678900')).body).toEqual(invalidDocument)
  expect(t.sandbox.charges()).toBe(0)
})

test('stops at the plan’s last unit, for analyses and CNH alike, and resumes when it is refilled', async () => {
  await using t = await setup({ scenario: { plans: { 31: { units: 2 } } } })
  expect((await t.generate(cpf(1))).status).toBe(201)
  expect((await t.cnhCreate(cpf(2))).status).toBe(201)
  expect((await t.generate(cpf(3))).body).toEqual(planNotAllowed)
  expect((await t.cnhCreate(cpf(3))).body).toEqual(planNotAllowed)
  expect(t.sandbox.charges()).toBe(2)

  t.sandbox.setScenario({ plans: {} })
  expect((await t.generate(cpf(3))).status).toBe(201)
})

test('an exhausted plan does not affect the other organization', async () => {
  await using t = await setup({ scenario: { plans: { 31: { units: 0 } } } })
  const other = callsTo(t.sandbox.url, { account: t.sandbox.accounts[1], token: t.sandbox.credentials.token })
  expect((await t.generate(cpf(1))).body).toEqual(planNotAllowed)
  expect((await other.generate(cpf(1))).status).toBe(201)
})

test('refuses a plan that is not the organization’s', async () => {
  await using t = await setup()
  const account = { ...t.sandbox.account, planId: 99 }
  const other = callsTo(t.sandbox.url, { account, token: t.sandbox.credentials.token })
  expect((await other.generate(cpf(1))).body).toEqual(planNotAllowed)
})

test('names the fields of a body that it cannot use', async () => {
  await using t = await setup()
  const answer = await t.ask('POST', '/v2/analytics', { ...t.sandbox.account, documentType: 'CPF' })
  expect(answer.status).toBe(400)
  expect(answer.body).toEqual({
    message: 'Parameter documentNumber is missing or wrong',
    error: 'WrongParameterException',
  })
})

test('shows errors only in the body, where the scenario hides every code that the interface does not show', async () => {
  await using t = await setup({ scenario: { alwaysOk: true } })
  expect(await t.scr('12345678900')).toMatchObject({ status: 200, body: invalidDocument })
  expect(await t.inactivate('1')).toMatchObject({ status: 200, body: { message: 'processNumber not exist' } })
  expect((await t.cnhLatest(cpf(1))).status).toBe(404)
})
