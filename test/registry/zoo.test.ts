import { expect, test } from 'vitest'
import { CallFailure } from '../../src/domain/call-failure.ts'
import type { Registry } from '../../src/registry/create-registry.ts'
import { account, cpf, setupAgainst, setupAgainstSocket } from './setup.ts'
import { hanging, type OperationName, zoo } from './zoo.ts'

const operations: Record<OperationName, (registry: Registry) => Promise<unknown>> = {
  'cnh.request': ({ cnh }) => cnh.request(cpf, account),
  'cnh.read': ({ cnh }) => cnh.read({ id: 'r-1', document: cpf.number }, account),
  'cnh.latest': ({ cnh }) => cnh.latest(cpf, account),
  'analyses.generate': ({ analyses }) => analyses.generate(cpf, account),
  'analyses.consult': ({ analyses }) => analyses.consult({ id: '1', uniqueId: '2' }, account),
  'activities.list': ({ activities }) => activities.list(account),
  'processes.count': ({ processes }) => processes.count(cpf, account),
  'processes.inactivate': ({ processes }) => processes.inactivate('0058967-77.2016.8.19.0000', account),
  'radars.add': ({ radars }) => radars.add({ name: 'n', code: cpf.number, type: 'CPF' }, account),
  'radars.list': ({ radars }) => radars.list(account),
  'scr.indicators': ({ scr }) => scr.indicators(cpf, account),
  'token.refresh': ({ token }) => token.refresh(),
}
const names = Object.keys(operations) as OperationName[]

/** What each operation makes of a server that sends these bytes; one that hangs does not close the connection after them. */
const outcomesOf = async (bytes: string | Buffer, hangs = false): Promise<Record<string, string>> => {
  await using t = await setupAgainstSocket(
    (socket) =>
      socket.once('data', () => {
        socket.write(bytes)
        if (!hangs) socket.end()
      }),
    { request: { timeout: hangs ? 100 : 60_000, retries: 0, maxBodyBytes: 1_000_000 } },
  )
  const ask = async (name: OperationName) => [name, await outcomeOf(operations[name](t.registry))] as const
  const outcomes = await Promise.all(names.filter((name) => name !== 'token.refresh').map(ask))
  // Calls wait for a token that is being renewed, so it is renewed by itself.
  return Object.fromEntries([...outcomes, await ask('token.refresh')])
}

/** Every failure must be one of the closed set, and show neither the document nor a token. */
const outcomeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call
    return 'answer'
  } catch (failure) {
    expect(failure).toBeInstanceOf(CallFailure)
    const { name, message } = failure as CallFailure
    expect(message).not.toMatch(/52998224725|529\.982\.247-25|secret-/)
    return name
  }
}

/** A refresh that is refused leaves a dead token. */
const all = (outcome: string) => {
  const isRefusal = !['Unanswered', 'TooManyRequests'].includes(outcome)
  return {
    ...Object.fromEntries(names.map((name) => [name, outcome])),
    ...(isRefusal && { 'token.refresh': 'TokenDead' }),
  }
}

test('the zoo is large enough', () => expect(zoo.length).toBeGreaterThanOrEqual(40))

test.each(zoo)('each of the 12 operations survives %s', async (_, bytes, outcome, except) => {
  expect(await outcomesOf(bytes)).toEqual({ ...all(outcome), ...except })
})

test.each(hanging)('each of the 12 operations survives %s', async (_, bytes) => {
  expect(await outcomesOf(bytes, true)).toEqual(all('Unanswered'))
})

test('an endless body is cut off at the limit', async () => {
  let written = 0
  const chunk = Buffer.alloc(65_536, 32)
  await using t = await setupAgainst(
    (_request, response) => {
      const pour = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length
      }
      response.on('drain', pour)
      pour()
    },
    { request: { timeout: 5_000, retries: 0, maxBodyBytes: 1_000_000 } },
  )
  await expect(t.registry.processes.count(cpf, account)).rejects.toThrow('more than 1000000 bytes')
  expect(written).toBeLessThan(20_000_000)
})
