import { expect, test } from 'vitest'
import { NotSent, TokenDead } from '../../src/registry/errors.ts'
import { createTokenKeeper, type TokenVault, withToken } from '../../src/registry/token-keeper.ts'
import { cpfs } from '../support/documents.ts'
import { createMemoryVault } from './memory-vault.ts'
import { account, cpf, setup } from './setup.ts'

test('many calls that meet one expiry make one refresh, and none of them fails', async () => {
  await using t = await setup({}, { scenario: { token: { expiresAfterCalls: 120 } } })
  const hundred = () => Promise.all(Array.from({ length: 100 }, () => t.registry.processes.count(cpf, account)))
  await hundred()
  await hundred()

  expect(t.sandbox.ledger.counts.refresh).toBe(1)
  expect(t.vault.stored().generation).toBe(2)
})

test('a token that expires every 20 calls costs one refresh each time, and spending calls are paid once', async () => {
  await using t = await setup({}, { scenario: { token: { expiresAfterCalls: 20 } } })
  const documents = cpfs(200).map((number) => ({ type: 'CPF', number }) as const)
  await Promise.all(documents.map((document) => t.registry.analyses.generate(document, account)))

  expect(t.sandbox.charges()).toBe(200)
  expect(t.sandbox.ledger.counts.refresh).toBe(9)
})

test('a refused refresh makes the token dead for all callers after one request; a new token resumes', async () => {
  const scenario = { token: { refuseRefresh: true, expiresAfterCalls: 10 } }
  await using t = await setup({}, { scenario })
  const ask = () => t.registry.analyses.generate(cpf, account).catch((failure) => failure)
  for (let n = 0; n < 10; n++) await ask()
  const failures = await Promise.all(Array.from({ length: 100 }, ask))
  const asked = t.sandbox.ledger.totals.received
  const later = await ask()

  expect(failures.every((failure) => failure instanceof TokenDead)).toBe(true)
  expect(later).toMatchObject({ holds: 'token', outcome: 'refused' })
  expect(t.sandbox.ledger.counts.refresh).toBe(1)
  expect(t.sandbox.ledger.totals.received).toBe(asked)

  t.sandbox.setScenario({ token: {} })
  t.vault.put(t.sandbox.credentials.token)
  expect(await ask()).toMatchObject({ id: expect.any(String) })
})

test('a refresh without an answer leaves the call unsent, not with an unknown outcome', async () => {
  const token = { expiresAfterCalls: 1 }
  await using t = await setup({}, { scenario: { token, faults: [{ operation: 'refresh', fault: 'serverError' }] } })
  await t.registry.analyses.generate(cpf, account)
  await expect(t.registry.analyses.generate(cpf, account)).rejects.toThrow(NotSent)
})

const noon = Date.parse('2026-11-15T12:00:00Z')

/** A keeper with a clock of its own, and how often it has renewed a token. */
const keeping = (
  token: string,
  refresh: (nth: number) => Promise<string>,
  vault: TokenVault = createMemoryVault(token),
) => {
  const kept = { at: noon, refreshes: 0 }
  const keeper = createTokenKeeper({ vault, refresh: () => refresh(++kept.refreshes), now: () => new Date(kept.at) })
  return Object.assign(kept, { keeper })
}

const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
const forAnHour = jwt({ iat: noon / 1_000, exp: noon / 1_000 + 3_600 })
const refused = () => Promise.reject(new TokenDead(['refresh_refused', 'POST /v1/refreshtoken']))

test('a JWT is renewed a minute before its end, without a refused call', async () => {
  const t = keeping(forAnHour, async () => 'another')
  const first = await t.keeper.current()
  t.at = noon + 58.5 * 60_000
  expect(await t.keeper.current()).toEqual(first)
  t.at = noon + 59.1 * 60_000
  const [one, other] = await Promise.all([t.keeper.current(), t.keeper.current()])
  expect(one).toEqual(other)
  expect(one?.generation).toBe(2)
  expect(t.refreshes).toBe(1)
})

test('the registry decides about a token that seems expired at once', async () => {
  const past = jwt({ exp: 1_000 })
  const { keeper } = keeping(past, () => Promise.reject(new Error('not to be called')))
  expect(await keeper.current()).toMatchObject({ token: past })
  expect(await keeper.current()).toMatchObject({ generation: 1 })
})

test('a token that another process renewed is taken over without a refresh', async () => {
  const vault = createMemoryVault('one')
  const here = keeping('', async () => 'renewed', vault)
  const there = keeping('', async () => 'renewed', vault)
  await Promise.all([here.keeper.current(), there.keeper.current()])
  const renewed = await Promise.all([here.keeper.renew(1), there.keeper.renew(1), here.keeper.renew(1)])

  expect(here.refreshes + there.refreshes).toBe(1)
  expect(renewed).toEqual(Array(3).fill({ token: 'renewed', generation: 2 }))
})

test('tokens that are renewed but never accepted are given up after a few', async () => {
  await using t = await setup({}, { scenario: { faults: [{ operation: 'processCount', fault: 'unauthorized' }] } })
  const calls = Array.from({ length: 50 }, () => t.registry.processes.count(cpf, account).catch((failure) => failure))
  const failures = await Promise.all(calls)

  expect(failures.every((failure) => failure instanceof TokenDead)).toBe(true)
  expect(t.sandbox.ledger.counts.refresh).toBeLessThanOrEqual(4)
})

/** A call that the registry answers if it accepts the token: the token that it was answered for. */
const calling = (keeper: TokenKeeper, isAccepted: (token: string) => boolean): Promise<string> =>
  withToken('GET /x', keeper, async (take) => {
    const token = take()
    if (token && !isAccepted(token.token)) throw new TokenDead(['token_refused', 'GET /x', 401])
    return token?.token ?? null
  })

type TokenKeeper = ReturnType<typeof createTokenKeeper>

test('a process whose tokens are used up by others continues until it gets one', async () => {
  const vault = createMemoryVault('used up')
  let others = 10
  const starved: TokenVault = {
    ...vault,
    exchange(seen, fn) {
      if (others-- > 0) vault.put('used up')
      return vault.exchange(seen, fn)
    },
  }
  const { keeper } = keeping('', async () => 'ours', starved)
  expect(await calling(keeper, (token) => token === 'ours')).toBe('ours')
})

test('tokens that are never accepted are not renewed for half a minute, and are renewed again after it', async () => {
  const t = keeping('token-0', async (nth) => `token-${nth}`)
  const ask = (least: number) => calling(t.keeper, (token) => Number(token.slice(6)) >= least)

  await expect(ask(4)).rejects.toThrow(TokenDead)
  await expect(ask(4)).rejects.toThrow(TokenDead)
  expect(t.refreshes).toBe(3)
  t.at += 31_000
  expect(await ask(4)).toBe('token-4')
})

test('a dead token is tried again after half a minute, and the process keeps answering meanwhile', async () => {
  const t = keeping('dead', refused)
  const works = new Set<string>()
  const ask = () => calling(t.keeper, (token) => works.has(token))

  await expect(ask()).rejects.toThrow(TokenDead)
  await expect(ask()).rejects.toThrow(TokenDead)
  expect(t.refreshes).toBe(1)
  t.at += 31_000
  await expect(ask()).rejects.toThrow(TokenDead)
  expect(t.refreshes).toBe(2)

  works.add('dead')
  t.at += 31_000
  expect(await ask()).toBe('dead')
})

test('a token whose early renewal is refused serves until the registry refuses it', async () => {
  const t = keeping(forAnHour, refused)
  let accepts = true
  const ask = () => calling(t.keeper, () => accepts)
  await ask()
  t.at += 59.5 * 60_000
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill(forAnHour))
  accepts = false
  await expect(ask()).rejects.toThrow(TokenDead)
})

test('a keeper that never has a token does not block the process', async () => {
  const token = { token: 'one', generation: 1 }
  const { keeper } = keeping('one', async () => 'two')
  let isReady = false
  const stubborn = { ...keeper, current: async () => token, atHand: () => (isReady ? token : null) }
  setTimeout(() => {
    isReady = true
  }, 50)

  expect(await calling(stubborn, () => true)).toBe('one')
})
