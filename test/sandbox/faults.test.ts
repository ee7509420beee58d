import { expect, test } from 'vitest'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import { cpf, cpfs, setup, timeouts } from './ask.ts'

type Fault = NonNullable<ScenarioPatch['faults']>[number]
const onGenerate = (fault: Omit<Fault, 'operation'>) =>
  setup({ scenario: { faults: [{ operation: 'generate', ...fault }] } })

test('rate limits with a Retry-After, and charges nothing', async () => {
  await using t = await onGenerate({ fault: 'rateLimited', retryAfter: 7 })
  const answer = await t.generate(cpf(1))
  expect(answer.status).toBe(429)
  expect(answer.headers.get('retry-after')).toBe('7')
  expect(t.sandbox.charges()).toBe(0)
})

test('fails before the work, or after it: only the ledger shows which', async () => {
  await using before = await onGenerate({ fault: 'serverError', status: 503 })
  await using after = await onGenerate({ fault: 'serverErrorAfter', status: 503 })
  const answers = [await before.generate(cpf(1)), await after.generate(cpf(1))]
  expect(answers.map(({ status }) => status)).toEqual([503, 503])
  expect(answers[0]?.text).toBe(answers[1]?.text)
  expect([before.sandbox.charges(), after.sandbox.charges()]).toEqual([0, 1])
})

test('closes the connection before the work, or after it', async () => {
  await using before = await onGenerate({ fault: 'closedBefore' })
  await using after = await onGenerate({ fault: 'closedAfter' })
  await expect(before.generate(cpf(1))).rejects.toThrow()
  await expect(after.generate(cpf(1))).rejects.toThrow()
  expect([before.sandbox.charges(), after.sandbox.charges()]).toEqual([0, 1])
  expect(after.sandbox.ledger.requests[0]).toMatchObject({ outcome: 'closed', status: null, fault: 'closedAfter' })
})

test('hangs before the work, or after it, until the caller gives up', async () => {
  await using before = await onGenerate({ fault: 'hangBefore' })
  await using after = await onGenerate({ fault: 'hang' })
  for (const t of [before, after]) {
    const caller = new AbortController()
    const refused = expect(t.generate(cpf(1), caller.signal)).rejects.toThrow(/aborted/)
    await expect.poll(() => t.sandbox.ledger.totals.received, timeouts).toBe(1)
    caller.abort()
    await refused
    await expect.poll(() => t.sandbox.ledger.requests[0]?.outcome, timeouts).toBe('abandoned')
  }
  expect([before.sandbox.charges(), after.sandbox.charges()]).toEqual([0, 1])
  expect(after.sandbox.ledger.totals.inFlight).toBe(0)
})

test('drips a body that arrives byte by byte', async () => {
  await using t = await onGenerate({ fault: 'drip', everyMs: 1 })
  expect((await t.generate(cpf(1))).body.result.documentNumber).toBe(cpf(1))
  expect(t.sandbox.charges()).toBe(1)
})

test('cuts a body in half', async () => {
  await using t = await onGenerate({ fault: 'cut' })
  await expect(t.generate(cpf(1))).rejects.toThrow()
  expect(t.sandbox.charges()).toBe(1)
})

test('answers with a page, with nothing, with far too much, or with exactly the given body', async () => {
  await using t = await onGenerate({ fault: 'html' })
  const page = await t.generate(cpf(1))
  expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8'])
  expect(page.text).toContain('<h1>Bad Gateway</h1>')

  t.sandbox.setScenario({ faults: [{ operation: 'generate', fault: 'empty' }] })
  expect(await t.generate(cpf(1))).toMatchObject({ status: 200, text: '' })
  expect(t.sandbox.charges()).toBe(0)

  t.sandbox.setScenario({ faults: [{ operation: 'generate', fault: 'oversized', bytes: 3_000_000 }] })
  expect((await t.generate(cpf(1))).text.length).toBeGreaterThan(3_000_000)
  expect(t.sandbox.charges()).toBe(1)

  const reply = { fault: 'reply', status: 418, body: '{"short', contentType: 'text/plain', worked: true } as const
  t.sandbox.setScenario({ faults: [{ operation: 'generate', ...reply }] })
  expect(await t.generate(cpf(1))).toMatchObject({ status: 418, text: '{"short' })
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

test('cuts the activity list while its total is right, or wrong', async () => {
  await using t = await setup()
  for (const document of cpfs(5)) await t.generate(document)

  t.sandbox.setScenario({ activities: { limit: 2 } })
  const cut = (await t.activities()).body
  expect(cut).toMatchObject({ total: 5, to: 2, limit: 2 })
  expect(cut.result.map((item) => item.documentNumber)).toEqual([cpf(4), cpf(3)])

  t.sandbox.setScenario({ activities: { limit: 2, keep: 'oldest', totalLies: true } })
  const lie = (await t.activities()).body
  expect(lie.total).toBe(2)
  expect(lie.result.map((item) => item.documentNumber)).toEqual([cpf(1), cpf(0)])

  t.sandbox.setScenario({ activities: { limit: 0, keep: 'oldest' } })
  expect((await t.activities()).body).toMatchObject({ total: 5, result: [] })
})

test('lists an analysis only after the lag', async () => {
  await using t = await setup({ scenario: { activities: { lagMs: 1000 } } })
  await t.generate(cpf(1))
  t.clock.at += 999
  expect((await t.activities()).body).toMatchObject({ total: 0, result: [] })
  t.clock.at += 1
  expect((await t.activities()).body.total).toBe(1)
})

test('cuts the radar list', async () => {
  await using t = await setup({ scenario: { radars: { limit: 1 } } })
  t.sandbox.plantRadar({ code: cpf(1) })
  t.sandbox.plantRadar({ code: cpf(2) })
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
