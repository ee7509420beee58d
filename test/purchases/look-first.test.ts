import { expect, test } from 'vitest'
import { readStatus } from '../../src/batches/status.ts'
import type { FaultRule } from '../../src/sandbox/fault-rule.ts'
import { readTrouble } from '../../src/views/trouble.ts'
import { statesOf } from '../support/books.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const others = [{ documents: cpfs(2), ageMs: 86_400_000 }]
const failing = (operation: FaultRule['operation'], times?: number) => [
  { operation, fault: 'serverError' as const, ...(times && { times }) },
]
const config = { request: { timeout: '2s', retries: 0 } }

test('buys nothing while nobody can see what the organization owns, says so, and goes on once the list is there', async () => {
  const scenario = { world: { others }, faults: failing('activities') }
  await using t = await setup({ config, sandbox: { scenario } })
  const id = await t.submit(csvOf(cpfs(5)))
  const [trouble] = await until(async () => {
    const all = await readTrouble(t.sql)
    return all[0]?.batches.length ? all : null
  })
  expect(trouble).toMatchObject({
    what: 'list_unread',
    stops: 'asking',
    goesOnAlone: true,
    lanes: [{ kind: 'analysis' }],
  })
  expect(trouble!.detail).toContain('what was bought already could not be seen')
  expect(trouble!.batches).toMatchObject([{ batch: Number(id), open: 5 }])
  expect(await readStatus(t.sql, id, new Date())).toMatchObject({ shown: 'running', listUnread: trouble!.detail })
  await until(async () => (await t.sql`select from vigia.lookup where polls > 3`).length > 0)
  expect(t.sandbox.charges()).toBe(0)

  t.sandbox.setScenario({ faults: [] })
  const batch = await t.finished(id)
  expect(await statesOf(t.sql, id)).toEqual({ ok: 5 })
  expect(batch).toMatchObject({ spent: 3, adopted: 2 })
  expect(t.sandbox.charges()).toBe(3)
  expect(await readTrouble(t.sql)).toEqual([])
})

test('goes on without a new list where one was read for the file', async () => {
  const purchases = { listLag: '200ms', maxAge: '1ms' }
  await using t = await setup({ config: { ...config, purchases }, sandbox: { scenario: { readyAfterMs: 0 } } })
  const before = await t.finished(await t.submit(csvOf(cpfs(1))))
  expect(before.spent).toBe(1)
  const { organizationId } = t.sandbox.account
  await t.sql`insert into vigia.reading (organization_id, kind, began_at, ended_at, complete)
              values (${organizationId}, 'analysis', now() + interval '1 minute', now(), true)`
  t.sandbox.setScenario({ faults: failing('activities') })
  expect((await t.finished(await t.submit(csvOf(cpfs(3, 100))))).spent).toBe(3)
})

test('buys without the list where nothing that was bought elsewhere would be taken', async () => {
  const purchases = { listLag: '200ms', adopt: false }
  const scenario = { world: { others }, faults: failing('activities') }
  await using t = await setup({ config: { ...config, purchases }, sandbox: { scenario } })
  await t.finished(await t.submit(csvOf(cpfs(3))))
  expect(t.sandbox.charges()).toBe(3)
})

test('requests no licence while the latest one cannot be seen, and holds up no other', async () => {
  await using t = await setup({ config })
  const [known, ...rest] = cpfs(4)
  t.sandbox.alreadyRequested(known!)
  const before = t.sandbox.charges()
  t.sandbox.setScenario({ faults: failing('cnhLatest', 1) })
  const id = await t.submit(csvOf([known!, ...rest]), { kind: 'cnh' })
  await t.finished(id)
  expect(t.sandbox.charges() - before).toBe(3)
  const told = await t.sql<{ trace: string[] }[]>`select trace from vigia.lookup where kind = 'cnh'`
  expect(told.filter(({ trace }) => trace.some((line) => line.includes('not_begun')))).toHaveLength(1)
})

test('a licence that can never be seen ends at its deadline, unpaid, and holds up no other', async () => {
  const polling = { first: '20ms', max: '200ms', deadline: '2s' }
  await using t = await setup({ config: { ...config, polling }, sandbox: { scenario: { readyAfterMs: 0 } } })
  const [hidden, ...rest] = cpfs(4)
  t.sandbox.setScenario({ faults: [{ ...failing('cnhLatest')[0]!, document: hidden! }] })
  const id = await t.submit(csvOf([hidden!, ...rest]), { kind: 'cnh' })
  await t.finished(id)
  expect(t.sandbox.charges()).toBe(3)
  const [row] = await t.sql`select state, charged, detail from vigia.lookup where question = ${hidden!}`
  expect(row).toMatchObject({ charged: 'no' })
  expect(['failed', 'timed_out']).toContain(row!.state)
  expect(row!.detail).toContain('could not be seen')
})
