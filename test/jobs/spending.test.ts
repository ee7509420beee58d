import { expect, test } from 'vitest'
import { hasLicence } from '../../src/sandbox/data/people.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { answersOf, statesOf } from '../support/purchase-ledger.ts'
import { anotherEngine, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const shortTimeouts = { request: { timeout: '300ms', retries: 0 } }

test('adopts what lost answers had already bought: one charge each, whatever the silence looked like', async () => {
  await using t = await setup({
    config: shortTimeouts,
    sandbox: {
      scenario: {
        faults: [
          { operation: 'generate', fault: 'hang', every: 3 },
          { operation: 'generate', fault: 'closedAfter', every: 4 },
          { operation: 'generate', fault: 'serverErrorAfter', every: 5 },
          { operation: 'generate', fault: 'html', worked: true, every: 7 },
        ],
      },
    },
  })
  const batch = await t.finished(await t.submit(csvOf(cpfs(60))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 60 })
  expect(t.sandbox.charges()).toBe(60)
  expect(batch.spent).toBe(60)
})

test('a registry that refuses what it has charged is paid once for each document, whatever it says', async () => {
  const refusals: [number, string][] = [
    [200, '{"success":false,"reason":"Tente mais tarde"}'],
    [402, '{"message":"Saldo esgotado"}'],
    [429, '{"message":"Too many requests"}'],
    [400, '{"status":"INVALID_DOCUMENT","message":"x"}'],
  ]
  const documents = cpfs(24)
  const faults = refusals.flatMap(([status, body], kind) =>
    [kind * 3, kind * 3 + 12].map((at) => {
      return { operation: 'generate', fault: 'reply', document: documents[at]!, worked: true, status, body } as const
    }),
  )
  await using t = await setup({ sandbox: { scenario: { faults } } })
  const batch = await t.finished(await t.submit(csvOf(documents)))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 24 })
  expect(t.sandbox.charges()).toBe(24)
  expect(batch.spent).toBe(24)
})

test('a registry that refuses what it has charged gets no more than the day may spend', async () => {
  const faults = [
    { operation: 'generate', fault: 'reply', worked: true, status: 400, body: '{"message":"no"}' } as const,
  ]
  await using t = await setup({ config: { budget: { perDay: 5 } }, sandbox: { scenario: { faults } } })
  const id = await t.submit(csvOf(cpfs(12)))
  await until(async () => (await statesOf(t.sql, id)).ok === 5)

  expect(t.sandbox.charges()).toBe(5)
})

test('a refusal that cost nothing is tried again once the list shows no purchase', async () => {
  const body = '{"success":false,"reason":"Tente mais tarde"}'
  const faults = [{ operation: 'generate', fault: 'reply', body, every: 2, times: 4 } as const]
  await using t = await setup({ sandbox: { scenario: { faults } } })
  const batch = await t.finished(await t.submit(csvOf(cpfs(12))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 12 })
  expect(t.sandbox.charges()).toBe(12)
  expect(batch.spent).toBe(12)
})

test('sends again what the registry proves it never got', async () => {
  await using t = await setup({
    config: shortTimeouts,
    sandbox: { scenario: { faults: [{ operation: 'generate', fault: 'closedBefore', every: 4, times: 5 }] } },
  })
  // The list has 16 then: one of 15 might be a page.
  const batch = await t.finished(await t.submit(csvOf(cpfs(21))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 21 })
  expect(t.sandbox.charges()).toBe(21)
  expect(batch.spent).toBe(21)
})

test('parks instead of buying again where the list is cut', async () => {
  await using t = await setup({
    config: shortTimeouts,
    sandbox: {
      scenario: {
        activities: { limit: 1, keep: 'oldest' },
        faults: [{ operation: 'generate', fault: 'hang', after: 5, times: 3 }],
      },
    },
  })
  const batch = await t.finished(await t.submit(csvOf(cpfs(10))))

  // On a busy machine another call may exceed its short time too.
  const { ok, unknown_outcome: parked } = (await statesOf(t.sql, batch.id)) as { ok: number; unknown_outcome: number }
  expect(ok + parked).toBe(10)
  expect(parked).toBeGreaterThanOrEqual(3)
  expect(t.sandbox.charges()).toBe(10)
  expect(batch.spent).toBe(10)
})

test('a list that cannot be read proves nothing: the outcome stays unknown until it can', async () => {
  await using t = await setup({
    config: shortTimeouts,
    sandbox: {
      scenario: {
        faults: [
          { operation: 'generate', fault: 'hang', times: 4 },
          { operation: 'activities', fault: 'serverError', after: 1, times: 3 },
        ],
      },
    },
  })
  const batch = await t.finished(await t.submit(csvOf(cpfs(4))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 4 })
  expect(t.sandbox.charges()).toBe(4)
})

test('a list that lags behind causes no second purchase', async () => {
  await using t = await setup({
    config: shortTimeouts,
    sandbox: {
      scenario: { activities: { lagMs: 2_200 }, faults: [{ operation: 'generate', fault: 'hang', times: 3 }] },
    },
  })
  const batch = await t.finished(await t.submit(csvOf(cpfs(3))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 3 })
  expect(t.sandbox.charges()).toBe(3)
})

test('reconciles a lost CNH request by the latest record of its CPF', async () => {
  await using t = await setup({
    config: shortTimeouts,
    sandbox: { scenario: { faults: [{ operation: 'cnhCreate', fault: 'hang', every: 2 }] } },
  })
  const licensed = cpfs(20).filter((document) => hasLicence(document, 1))
  const batch = await t.finished(await t.submit(csvOf(licensed.slice(0, 12)), { kind: 'cnh' }))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 12 })
  expect(t.sandbox.charges()).toBe(12)
})

test('the same document is bought once, over rows, files and batches at once', async () => {
  await using t = await setup()
  const documents = cpfs(30)
  const files = [
    csvOf(documents),
    csvOf([...documents, ...documents]),
    `cpf;nome\n${documents.map((d) => `${d};x`).join('\n')}\n`,
  ]

  const batches = await Promise.all(files.map(async (file) => t.finished(await t.submit(file))))

  expect(t.sandbox.charges()).toBe(30)
  expect(batches.reduce((sum, { spent }) => sum + spent, 0)).toBe(30)
  for (const { id, rows } of batches) expect(await statesOf(t.sql, id)).toEqual({ ok: rows })
})

test('the same bytes again are the same batch', async () => {
  await using t = await setup()
  const first = await t.submit(csvOf(cpfs(5)))
  await t.finished(first)
  expect(await t.submit(csvOf(cpfs(5)))).toBe(first)
  expect(t.sandbox.charges()).toBe(5)
})

test('what was bought and timed out is not bought again: its successor waits for the same analysis', async () => {
  let aheadMs = 0
  await using t = await setup({
    clock: () => new Date(Date.now() + aheadMs),
    sandbox: { scenario: { faults: [{ operation: 'consult', fault: 'stuckForever' }] } },
  })
  const id = await t.submit(csvOf([cpf(1)]))
  await until(async () => (await statesOf(t.sql, id)).waiting === 1)
  aheadMs = 2 * 3_600_000
  t.running.engine.wake()
  const stuck = await t.finished(id)
  expect(await statesOf(t.sql, stuck.id)).toEqual({ timed_out: 1 })

  t.sandbox.setScenario({ faults: [] })
  const again = await t.finished(await t.submit(`cpf\n${cpf(1)}\n\n`))

  expect(await statesOf(t.sql, again.id)).toEqual({ ok: 1 })
  expect(t.sandbox.charges()).toBe(1)
  expect(again.spent).toBe(0)
})

test('an unknown status is waiting, never done, and is what a timed-out row reports', async () => {
  await using t = await setup({
    config: { polling: { first: '20ms', max: '50ms', deadline: '500ms' } },
    sandbox: { scenario: { faults: [{ operation: 'consult', fault: 'drift', drift: 'unknownStatus' }] } },
  })
  const batch = await t.finished(await t.submit(csvOf(cpfs(5))))

  expect(await statesOf(t.sql, batch.id)).toEqual({ timed_out: 5 })
  expect(await answersOf(t.sql, batch.id)).toBe(0)
})

test('four workers together never pass the limit of a batch by a single unit', async () => {
  await using t = await setup()
  await using stack = new AsyncDisposableStack()
  for (let more = 0; more < 3; more++) stack.use(await anotherEngine(t))
  const batch = await t.finished(await t.submit(csvOf(cpfs(40)), { maxSpend: 17 }))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 17, over_budget: 23 })
  expect(t.sandbox.charges()).toBe(17)
})

test('a spent day holds the lane and leaves the rest queued', async () => {
  await using t = await setup({ config: { budget: { perDay: 12, perBatch: null, confirmAbove: null } } })
  const id = await t.submit(csvOf(cpfs(30)))
  const [held] = await until(async () => {
    const lanes = await t.sql<{ cause: string }[]>`select cause from vigia.lane`
    const open =
      await t.sql`select lookup_id from vigia.intent union all select id from vigia.lookup where state = 'waiting'`
    return lanes.length > 0 && open.length === 0 ? lanes : null
  })

  expect(held?.cause).toBe('budget')
  expect(t.sandbox.charges()).toBe(12)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 12, queued: 18 })
})
