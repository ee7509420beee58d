import { expect, test } from 'vitest'
import { cpf } from '../support/documents.ts'
import { callsTo, setup } from './ask.ts'

const { email, username, refreshToken } = {
  email: 'vigia@sandbox.invalid',
  username: 'vigia',
  refreshToken: 'sandbox-refresh',
}

test('answers 401 without a token or with one that it never issued', async () => {
  await using t = await setup()
  for (const token of ['', 'made-up']) {
    const stranger = callsTo(t.sandbox.url, { account: t.sandbox.account, token })
    expect((await stranger.generate(cpf(1))).status).toBe(401)
    expect((await stranger.refresh({ email, username, refreshToken })).status).toBe(401)
  }
  expect(t.sandbox.charges()).toBe(0)
})

test('expires a token after its calls and renews it by the expired one', async () => {
  await using t = await setup({ scenario: { token: { expiresAfterCalls: 3 } } })
  const statuses = []
  for (let call = 0; call < 5; call++) statuses.push((await t.radarList()).status)
  expect(statuses).toEqual([200, 200, 200, 401, 401])

  const renewed = await t.refresh({ email, username, refreshToken })
  expect(renewed.body).toEqual({ email, username, token: expect.any(String) })
  const again = callsTo(t.sandbox.url, { account: t.sandbox.account, token: renewed.body.token })
  expect((await again.radarList()).status).toBe(200)
  expect((await t.radarList()).status).toBe(401)
})

test('expires a JWT at the time in its exp', async () => {
  await using t = await setup({ scenario: { token: { jwt: true, expiresAfterMs: 60_000 } } })
  const claims = JSON.parse(Buffer.from(t.sandbox.credentials.token.split('.')[1] as string, 'base64url').toString())
  expect(claims.exp * 1000).toBe(t.clock.at + 60_000)
  expect((await t.radarList()).status).toBe(200)
  t.clock.at += 60_000
  expect((await t.radarList()).status).toBe(401)
})

test('refuses a refresh with wrong credentials, without an e-mail, and when the scenario says so', async () => {
  await using t = await setup()
  expect((await t.refresh({ email, username, refreshToken: 'wrong' })).status).toBe(401)
  expect((await t.refresh({ username, refreshToken })).body).toEqual({
    message: 'email required',
    error: 'ObjectNotFoundException',
  })
  t.sandbox.setScenario({ token: { refuseRefresh: true } })
  expect((await t.refresh({ email, username, refreshToken })).status).toBe(401)
})

test('issues a new token to an operator after all others have expired', async () => {
  await using t = await setup()
  t.sandbox.expireTokens()
  expect((await t.radarList()).status).toBe(401)
  const fresh = callsTo(t.sandbox.url, { account: t.sandbox.account, token: t.sandbox.giveToken() })
  expect((await fresh.radarList()).status).toBe(200)
})
