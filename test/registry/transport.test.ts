import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { CallFailure } from '../../src/domain/call-failure.ts'
import { freePort } from '../../src/home/free-port.ts'
import { createBound } from '../../src/registry/bound.ts'
import { NotSent, Outage, Refused, TooManyRequests, Unanswered } from '../../src/registry/errors.ts'
import { until } from '../support/until.ts'
import { account, clientOf, cpf, setup, setupAgainst, setupAgainstSocket } from './setup.ts'

const request = { timeout: 5_000, retries: 3, maxBodyBytes: 1_000_000 }

test('if the connection is refused, the request was surely not sent, even for a spending call', async () => {
  const { registry } = clientOf(`http://127.0.0.1:${await freePort()}`, {}, 'token')

  await expect(registry.analyses.generate(cpf, account)).rejects.toThrow(NotSent)
  await expect(registry.radars.list(account)).rejects.toThrow(NotSent)
})

test('if a failure says that nothing was sent, undici has started no request', async () => {
  const begun: unknown[] = []
  const note = (message: unknown) => begun.push(message)
  subscribe('undici:client:sendHeaders', note)
  try {
    await sendTwoOfSix(begun)
    // This address is closed by now, so the pool has tried the other four as well.
    expect(begun).toHaveLength(2)
  } finally {
    unsubscribe('undici:client:sendHeaders', note)
  }
})

/** Both connections hang, so the calls of the other kind wait in the pool until their deadline. */
const sendTwoOfSix = async (begun: unknown[]) => {
  const sockets: Socket[] = []
  const within = (timeout: number) => ({ request: { ...request, retries: 0, timeout } })
  await using t = await setupAgainstSocket((socket) => void sockets.push(socket), {
    connections: 2,
    forKind: { analysis: within(50_000), cnh: within(50) },
  })
  const failureOf = (call: Promise<unknown>) => call.catch((failure) => failure)
  const sent = [1, 2].map(() => failureOf(t.registry.analyses.generate(cpf, account)))
  await until(async () => begun.length === 2)
  const waiting = [1, 2, 3, 4].map(() => failureOf(t.registry.cnh.request(cpf, account)))
  for (const failure of await Promise.all(waiting)) expect(failure).toBeInstanceOf(NotSent)

  for (const socket of sockets) socket.destroy()
  for (const failure of await Promise.all(sent)) expect(failure).toBeInstanceOf(Unanswered)
}

test('a spending call whose answer is lost is sent once and reports an unknown outcome', async () => {
  await using t = await setup({ request }, { scenario: { faults: [{ operation: 'generate', fault: 'closedAfter' }] } })
  const failure = await t.registry.analyses.generate(cpf, account).catch((caught) => caught)

  expect(failure).toBeInstanceOf(Unanswered)
  expect(failure).toMatchObject({ outcome: 'unknown', retryable: true })
  expect(t.sandbox.charges(cpf.number)).toBe(1)
})

test('a safe call is repeated until it is answered', async () => {
  let calls = 0
  await using t = await setupAgainst(
    (_request, response) => {
      calls++
      response.writeHead(calls < 4 ? 503 : 200, { 'content-type': 'application/json' })
      response.end('[]')
    },
    { request },
  )
  expect(await t.registry.radars.list(account)).toEqual({ complete: true, radars: [] })
  expect(calls).toBe(4)
})

test('waits as long as Retry-After says, and leaves a longer wait to the caller', async () => {
  const waits = ['0', '3600']
  await using t = await setupAgainst(
    (_request, response) => void response.writeHead(429, { 'retry-after': waits.shift() ?? '0' }).end('slow down'),
    { request: { ...request, retries: 5 } },
  )
  const failure = await t.registry.radars.list(account).catch((caught) => caught)
  expect(failure).toBeInstanceOf(TooManyRequests)
  expect(failure.retryAfterMs).toBe(3_600_000)
  expect(waits).toEqual([])
})

test('a 429 halves the bound', async () => {
  await using t = await setupAgainst((_request, response) => void response.writeHead(429).end())
  await expect(t.registry.analyses.generate(cpf, account)).rejects.toThrow(TooManyRequests)
  expect(t.bound.size).toBe(32)
})

test('a dripping answer ends at the deadline', async () => {
  await using t = await setupAgainst(
    (_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(drip))
    },
    { request: { ...request, retries: 0, timeout: 150 } },
  )
  await expect(t.registry.radars.list(account)).rejects.toThrow('150 ms passed')
})

/** A list of analyses that arrives piece by piece, and ends after `pieces` of them. */
const dripping = (pieces: number, timeout: number) =>
  setupAgainst(
    (_request, response) => {
      response.writeHead(200).write(`{"total":${pieces},"result":[{}`)
      const drip = setInterval(() => {
        if (--pieces > 0) response.write(',{}')
        else response.end(']}')
      }, 20)
      response.on('close', () => clearInterval(drip))
    },
    { request: { ...request, retries: 0, timeout } },
  )

test('a list may take longer than the deadline, as long as data arrives', async () => {
  await using t = await dripping(40, 400)
  expect(await t.registry.activities.list(account)).toMatchObject({ total: 40 })
})

test('a list that never ends is given up', async () => {
  await using t = await dripping(Number.POSITIVE_INFINITY, 50)
  await expect(t.registry.activities.list(account)).rejects.toThrow('50 ms passed')
})

test('a call that is given up ends at once, and says whether it was sent', async () => {
  let arrived = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve
  })
  await using t = await setupAgainst(() => arrived(), { request })
  const stop = new AbortController()
  const underWay = t.registry.analyses.generate(cpf, account, { signal: stop.signal }).catch((caught) => caught)
  await arrival
  t.bound.ceiling = 0
  const waiting = t.registry.analyses.generate(cpf, account, { signal: stop.signal }).catch((caught) => caught)
  stop.abort()

  expect(await underWay).toBeInstanceOf(Unanswered)
  expect(await waiting).toBeInstanceOf(NotSent)
})

test('a call whose turn comes too late is not sent', async () => {
  let calls = 0
  await using t = await setupAgainst((_request, response) => {
    calls++
    response.end('[]')
  })
  t.bound.ceiling = 0
  const late = t.registry.radars.list(account, { isTooLate: () => true })
  t.bound.ceiling = 1
  await expect(late).rejects.toThrow(NotSent)
  expect(calls).toBe(0)
})

test('once an answer has closed the latch of its lane, nothing more is sent', async () => {
  await using t = await setup(
    { bound: createBound({ ceiling: 4 }) },
    { scenario: { plans: { [account.planId]: { units: 10 } } } },
  )
  const latch = {
    isClosed: false,
    isTrial: false,
    failsAlone: false,
    hear(_: string, failure: CallFailure | null) {
      if (failure?.holds === 'plan') this.isClosed = true
    },
  }
  const calls = Array.from({ length: 40 }, () =>
    t.registry.analyses.generate(cpf, account, { latch }).catch((failure) => failure),
  )
  const kept = (await Promise.all(calls)).filter((failure) => failure instanceof NotSent && failure.keptBack)

  const refused = t.sandbox.ledger.refusals.PLAN_NOT_ALLOWED ?? 0
  expect(refused).toBeGreaterThan(0)
  expect(refused).toBeLessThanOrEqual(4)
  expect(kept).toHaveLength(40 - 10 - refused)
})

test('an outage stops what has not been sent, and one trial finds its end', async () => {
  let isDown = true
  let calls = 0
  // Longer than a busy machine takes for the calls that must not be sent.
  const outage = { after: 3, firstTrialMs: 300, lastTrialMs: 300 }
  await using t = await setupAgainst(
    (_request, response) => {
      calls++
      response.writeHead(isDown ? 503 : 200).end('[]')
    },
    { outage },
  )
  const ask = () => t.registry.radars.list(account).catch((caught) => caught)
  for (let n = 0; n < 10; n++) await ask()
  const failure = await ask()
  expect(failure).toBeInstanceOf(Outage)
  expect(failure).toMatchObject({ outcome: 'not_sent', holds: 'outage' })
  expect(calls).toBeLessThan(8)

  isDown = false
  await expect.poll(ask, { interval: 5, timeout: 20_000 }).toEqual({ complete: true, radars: [] })
})

test('refusals are answers and cause no outage', async () => {
  const body = JSON.stringify({ success: false, reason: 'not today' })
  await using t = await setupAgainst((_request, response) => void response.end(body), {
    outage: { after: 2, firstTrialMs: 60_000, lastTrialMs: 60_000 },
  })
  for (let n = 0; n < 5; n++) await expect(t.registry.processes.count(cpf, account)).rejects.toThrow(Refused)
})

test('path values stay inside their own segment', async () => {
  const urls: string[] = []
  await using t = await setupAgainst((message: IncomingMessage, response) => {
    urls.push(message.url ?? '')
    response.writeHead(404).end('{}')
  })
  await t.registry.cnh.read({ id: '../../v2/analytics?x=1#y', document: cpf.number }, account).catch(() => {})
  await expect(t.registry.cnh.read({ id: '..', document: cpf.number }, account)).rejects.toThrow(NotSent)
  expect(urls).toEqual(['/v1/cnh/organizations/7001/request/..%2F..%2Fv2%2Fanalytics%3Fx%3D1%23y'])
})

test('settings say where the sort of radars and the plan of SCR go; by default nowhere', async () => {
  const urls: unknown[] = []
  const listener = (message: IncomingMessage, response: { end(text: string): unknown }) => {
    urls.push([message.url, message.headers['x-plan']])
    response.end('[]')
  }
  await using plain = await setupAgainst(listener)
  await plain.registry.radars.list(account)
  await plain.registry.scr.indicators(cpf, account)
  await using set = await setupAgainst(listener, {
    radarSort: { parameter: 'order', order: 'DESC' },
    scrPlanId: { in: 'header', name: 'x-plan' },
  })
  await set.registry.radars.list(account)
  await set.registry.scr.indicators(cpf, account)

  expect(urls).toEqual([
    ['/v2/organizations/7001/radars', undefined],
    [`/v1/scr/indicators/${cpf.number}`, undefined],
    ['/v2/organizations/7001/radars?order=DESC', undefined],
    [`/v1/scr/indicators/${cpf.number}`, '31'],
  ])
})

test('identifiers above 2^53 keep every digit on both ways', async () => {
  const bodies: string[] = []
  const id = '9007199254740993'
  await using t = await setupAgainst(async (message, response) => {
    bodies.push(Buffer.concat(await message.toArray()).toString())
    const created = `{"result":{"userPlanConsumeAnalyticsId":${id},"userPlanConsumeUniqueId":${id}}}`
    response.end(message.url === '/v2/analytics' ? created : '{"success":true,"register":null}')
  })
  const ref = await t.registry.analyses.generate(cpf, account)
  await t.registry.analyses.consult(ref, account)

  expect(ref).toMatchObject({ id, uniqueId: id })
  expect(bodies[1]).toContain(`"userPlanConsumeUniqueId":${id}`)
})
