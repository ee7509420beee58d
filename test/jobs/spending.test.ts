import { expect, test } from 'vitest'
import { hasLicence } from '../../src/sandbox/data/people.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { answersOf, statesOf } from '../support/purchase-ledger.ts'
import { anotherEngine, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const shortTimeouts = { request: { timeout: '300ms', retries: 0 } }

const refusals: [status: number, body: string][] = [
  [200, '{"success":false,"reason":"Tente mais tarde"}'],
  [402, '{"message":"Saldo esgotado"}'],
  [429, '{"message":"Too many requests"}'],
  [400, '{"status":"INVALID_DOCUMENT","message":"x"}'],
]

/** What becomes of the first call for a document. */
const mishaps: Record<string, object> = {
  'bought, and not answered in time': { fault: 'hang' },
  'bought, and the connection closed': { fault: 'closedAfter' },
  'bought, and answered with an error': { fault: 'serverErrorAfter' },
  'bought, and answered by a page': { fault: 'html', worked: true },
  'never arrived': { fault: 'closedBefore' },
  'refused for nothing': { fault: 'reply', body: refusals[0]![1] },
  ...Object.fromEntries(
    refusals.map(([status, body]) => [
      `bought, and refused with ${body}`,
      { fault: 'reply', worked: true, status, body },
    ]),
  ),
}

test('whatever becomes of a call, its document is bought once and answered', async () => {
  const documents = Object.keys(mishaps).map((_, i) => cpfs(3, i * 3))
  const faults = Object.values(mishaps).flatMap((fault, i) =>
    documents[i]!.map((document) => ({ operation: 'generate', document, times: 1, ...fault }) as const),
  )
  await using t = await setup({ config: shortTimeouts, sandbox: { scenario: { faults: faults as never } } })
  const untouched = cpfs(20, 1_000)
  const batch = await t.finished(await t.submit(csvOf([...documents.flat(), ...untouched])))

  const states = await t.sql<{ question: string; state: string }[]>`select question, state from vigia.lookup`
  const stateOf = new Map(states.map(({ question, state }) => [question, state]))
  const ends = Object.keys(mishaps).map((name, i) => [
    name,
    documents[i]!.map((document) => `${stateOf.get(document)} ${t.sandbox.charges(document)}`),
  ])
  expect(Object.fromEntries(ends)).toEqual(
    Object.fromEntries(Object.keys(mishaps).map((name) => [name, Array(3).fill('ok 1')])),
  )
  expect(t.sandbox.charges()).toBe(documents.flat().length + untouched.length)
  expect(batch.spent).toBe(documents.flat().length + untouched.length)
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

test('a list that cannot be read, or that lags behind, proves nothing and causes no second purchase', async () => {
  await using t = await setup({
    config: shortTimeouts,
    sandbox: {
      scenario: {
        activities: { lagMs: 2_200 },
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

test('the same document is bought once, over rows, files and batches at once, and the same bytes are one batch', async () => {
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
  expect(await t.submit(files[0]!)).toBe(batches[0]!.id)
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

test('a spent day holds the lane and leaves the rest queued, though the registry refuses what it has charged', async () => {
  const faults = [
    { operation: 'generate', fault: 'reply', worked: true, status: 400, body: '{"message":"no"}' } as const,
  ]
  const budget = { perDay: 4, perBatch: null, confirmAbove: null }
  await using t = await setup({ config: { budget }, sandbox: { scenario: { faults } } })
  const id = await t.submit(csvOf(cpfs(10)))
  await until(async () => {
    const { ok, queued } = await statesOf(t.sql, id)
    return ok === 4 && queued === 6
  })

  await until(async () => (await t.sql`select from vigia.lane where cause = 'budget'`).length === 1)
  expect(t.sandbox.charges()).toBe(4)
})
