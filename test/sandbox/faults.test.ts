import { expect, test } from 'vitest'
import type { FaultKind } from '../../src/sandbox/fault-rule.ts'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { setup, timeouts } from './ask.ts'

type Fault = NonNullable<ScenarioPatch['faults']>[number]
const onGenerate = (fault: Omit<Fault, 'operation'>) =>
  setup({ scenario: { faults: [{ operation: 'generate', ...fault }] } })

/** What the caller sees of each fault, and how many units are charged. */
const faults: Record<FaultKind, [seen: number | 'closed' | 'hanging', units: number]> = {
  rateLimited: [429, 0],
  unauthorized: [401, 0],
  typedError: [200, 0],
  serverError: [500, 0],
  serverErrorAfter: [500, 1],
  closedBefore: ['closed', 0],
  closedAfter: ['closed', 1],
  hangBefore: ['hanging', 0],
  hang: ['hanging', 1],
  cut: ['closed', 1],
  drip: [201, 1],
  html: [502, 0],
  empty: [200, 0],
  oversized: [200, 1],
  reply: [200, 0],
  drift: [201, 1],
  mixedUp: [201, 1],
  stuckForever: [201, 1],
}

const cases = Object.entries(faults).map(([fault, [seen, units]]) => [fault as FaultKind, seen, units] as const)

test.each(cases)('%s: the caller sees %s, and %i units are charged', async (fault, seen, units) => {
  await using t = await onGenerate({ fault, bytes: 3_000_000, everyMs: 1 })
  const caller = new AbortController()
  const answer = t.generate(cpf(1), caller.signal).then(
    ({ status }) => status,
    () => (caller.signal.aborted ? 'hanging' : 'closed'),
  )
  await expect.poll(() => t.sandbox.ledger.totals.received, timeouts).toBe(1)
  if (seen === 'hanging') caller.abort()
  expect(await answer).toBe(seen)
  const outcome = seen === 'hanging' ? 'abandoned' : seen === 'closed' ? 'closed' : 'answered'
  await expect.poll(() => t.sandbox.ledger.requests[0]?.outcome, timeouts).toBe(outcome)
  expect(t.sandbox.ledger.requests[0]).toMatchObject({
    fault,
    status: fault === 'cut' ? 201 : typeof seen === 'number' ? seen : null,
  })
  expect(t.sandbox.charges()).toBe(units)
})

test('a failure after the work looks like one before it: only the ledger shows which', async () => {
  await using t = await onGenerate({ fault: 'serverError', status: 503, retryAfter: 7 })
  const before = await t.generate(cpf(1))
  t.sandbox.setScenario({ faults: [{ operation: 'generate', fault: 'serverErrorAfter', status: 503, retryAfter: 7 }] })
  const after = await t.generate(cpf(1))
  expect([after.status, after.text, after.headers.get('retry-after')]).toEqual([503, before.text, '7'])
  expect(t.sandbox.ledger.requests.map(({ workedAt }) => workedAt !== null)).toEqual([false, true])
})

test('answers with a page, with nothing, with far too much, or with exactly the given body', async () => {
  await using t = await setup()
  const answerTo = (fault: Omit<Fault, 'operation'>) => {
    t.sandbox.setScenario({ faults: [{ operation: 'generate', ...fault }] })
    return t.generate(cpf(1))
  }
  const page = await answerTo({ fault: 'html' })
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.text).toContain('<h1>Bad Gateway</h1>')
  expect((await answerTo({ fault: 'empty' })).text).toBe('')
  expect((await answerTo({ fault: 'oversized', bytes: 3_000_000 })).text.length).toBeGreaterThan(3_000_000)
  const reply = { fault: 'reply', status: 418, body: '{"short', contentType: 'text/plain' } as const
  expect(await answerTo(reply)).toMatchObject({ status: 418, text: '{"short' })
  expect(t.sandbox.charges()).toBe(1)
  await answerTo({ ...reply, worked: true })
  expect(t.sandbox.charges()).toBe(2)
})

test('changes its replies in six ways', async () => {
  await using t = await setup()
  const { id, consult } = await t.analyze(cpf(4))
  const values = { 'register.folder': 'elsewhere', 'register.summary.ALL.totalProcess': 7, 'register.none': 1 }
  const drifted = async (drift: NonNullable<Fault['drift']>) => {
    t.sandbox.setScenario({
      faults: [{ operation: 'consult', fault: 'drift', drift, fields: ['typePlan', 'createdAt'], values }],
    })
    return (await consult()) as Record<string, unknown>
  }
  expect(await drifted('missing')).not.toHaveProperty('typePlan')
  expect(await drifted('renamed')).toHaveProperty('type_plan')
  expect(await drifted('numbersAsStrings')).toMatchObject({ userPlanConsumeAnalyticsId: String(id) })
  expect(Object.keys((await drifted('extraClassification')).summary as object)).toHaveLength(21)
  const written = await drifted('values')
  expect(written).toMatchObject({ folder: 'elsewhere', summary: { ALL: { totalProcess: 7 } } })
  expect(written).not.toHaveProperty('none')
  expect(await drifted('unknownStatus')).toMatchObject({
    status: 'REQUEUED_FOR_REVIEW',
    statusIndex: 'REQUEUED_FOR_REVIEW',
  })
})

test('a stuck analysis never becomes ready', async () => {
  const faults: Fault[] = [{ operation: ['generate', 'cnhCreate', 'scr'], fault: 'stuckForever', times: 3 }]
  await using t = await setup({ readyAfterMs: 1000, scenario: { faults } })
  const { consult } = await t.analyze(cpf(1))
  const { requestId } = (await t.cnhCreate(cpf(1))).body
  await t.scr(cpf(1))

  t.clock.at += 1_000_000_000

  expect((await consult()).status).toBe('PROCESSING')
  expect((await t.cnhRead(requestId)).body.data).toBeNull()
  expect((await t.scr(cpf(1))).body).toMatchObject({ status: 'PROCESSING' })
})

test('a fault of a list wins over the world: it is cut, its total lies, or it is late', async () => {
  await using t = await setup({ scenario: { world: { list: { page: 4 }, radars: { page: 2 } } } })
  for (const document of cpfs(5)) await t.generate(document)
  for (const code of cpfs(3)) t.sandbox.plantRadar({ code })
  const shownUnder = async (activities: ScenarioPatch['activities']) => {
    t.sandbox.setScenario({ activities })
    const { total, result } = (await t.activities()).body
    return [total, result.map((item) => cpfs(5).indexOf(item.documentNumber))]
  }
  expect(await shownUnder({})).toEqual([5, [4, 3, 2, 1]])
  expect(await shownUnder({ limit: 2 })).toEqual([5, [4, 3]])
  expect(await shownUnder({ limit: 2, keep: 'oldest', totalLies: true })).toEqual([2, [1, 0]])
  expect(await shownUnder({ limit: 0, keep: 'oldest' })).toEqual([5, []])
  expect(await shownUnder({ lagMs: 1 })).toEqual([0, []])
  expect((await t.radarList()).body).toHaveLength(2)
  t.sandbox.setScenario({ radars: { limit: 1 } })
  expect((await t.radarList()).body).toHaveLength(1)
})

test('an outage refuses everything until its window ends', async () => {
  await using t = await setup()
  t.sandbox.setScenario({ outage: { forMs: 60_000 } })
  expect((await t.generate(cpf(1))).status).toBe(503)
  expect((await t.radarList()).status).toBe(503)
  t.sandbox.setScenario({ outage: { how: 'closed', forMs: 60_000 } })
  await expect(t.radarList()).rejects.toThrow()
  t.clock.at += 60_000
  expect((await t.radarList()).status).toBe(200)
  expect(t.sandbox.charges()).toBe(0)
})

test('a rule matches the n-th, every n-th, later or a few requests, of one document or of all', async () => {
  await using t = await setup()
  const statusesUnder = async (rule: Omit<Fault, 'operation' | 'fault'>, calls = 6) => {
    t.sandbox.setScenario({ faults: [{ operation: 'all', fault: 'serverError', ...rule }] })
    const statuses = []
    for (let call = 0; call < calls; call++) statuses.push((await t.processCount(cpf(call % 2))).status)
    return statuses
  }
  expect(await statusesUnder({ nth: 3 })).toEqual([200, 200, 500, 200, 200, 200])
  expect(await statusesUnder({ every: 3 })).toEqual([200, 200, 500, 200, 200, 500])
  expect(await statusesUnder({ after: 4 })).toEqual([200, 200, 200, 200, 500, 500])
  expect(await statusesUnder({ times: 2 })).toEqual([500, 500, 200, 200, 200, 200])
  expect(await statusesUnder({ document: cpf(1) })).toEqual([200, 500, 200, 500, 200, 500])
})

test('waits out the latency, half of it before the work and half after', async () => {
  await using t = await setup({ now: Date.now, scenario: { latency: { generate: { ms: 60, jitter: 10 } } } })
  await t.generate(cpf(1))
  const [exchange] = t.sandbox.ledger.requests
  expect((exchange?.answeredAt ?? 0) - (exchange?.receivedAt ?? 0)).toBeGreaterThanOrEqual(45)
  expect((exchange?.workedAt ?? 0) - (exchange?.receivedAt ?? 0)).toBeGreaterThanOrEqual(20)
})
