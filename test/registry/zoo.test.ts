import { expect, test } from 'vitest'
import { CallFailure } from '../../src/domain/call-failure.ts'
import type { Registry } from '../../src/registry/create-registry.ts'
import { account, cpf, setupAgainst, setupAgainstSocket } from './setup.ts'
import type { Beast, OperationName, Outcome } from './zoo/beast.ts'
import { bodies } from './zoo/bodies.ts'
import { refusals } from './zoo/refusals.ts'
import { wires } from './zoo/wires.ts'

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

const zoo = [...bodies, ...refusals, ...wires]
const names = Object.keys(operations) as OperationName[]

test('the zoo is large enough', () => expect(zoo.length).toBeGreaterThanOrEqual(40))

test.each(zoo)('each of the 12 operations survives $name', async (beast) => {
  await using t = await setupAgainstSocket(
    (socket) =>
      socket.once('data', () => {
        socket.write(beast.bytes)
        if (!beast.staysOpen) socket.end()
      }),
    { request: { timeout: beast.staysOpen ? 100 : 5_000, retries: 0, maxBodyBytes: 1_000_000 } },
  )
  const outcomes: Partial<Record<OperationName, string>> = {}
  for (const name of names) outcomes[name] = await outcomeOf(operations[name](t.registry))
  expect(outcomes).toEqual(expectedOf(beast))
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

const expectedOf = ({ outcome, except }: Beast): Record<OperationName, Outcome> =>
  Object.fromEntries(names.map((name) => [name, except?.[name] ?? outcome])) as Record<OperationName, Outcome>

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
