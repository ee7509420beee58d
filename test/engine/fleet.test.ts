import { randomUUID } from 'node:crypto'
import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { joinFleet, shareOf } from '../../src/engine/fleet.ts'
import { leaveWorkers, listWorkers, takeTurn } from '../../src/store/fleet/workers.ts'
import { openDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

property.prop([
  fc.array(fc.nat(64), { minLength: 1, maxLength: 8 }),
  fc.integer({ min: 1, max: 64 }),
  fc.integer({ min: 1, max: 64 }),
])('a worker never takes what the others still hold', (shares, overall, perWorker) => {
  const workers = shares.map((share, i) => ({ id: String(i), share }))
  const taken = shares.slice(1).reduce((sum, share) => sum + share, 0)
  expect(shareOf(workers, '0', perWorker, overall)).toBeLessThanOrEqual(Math.max(0, overall - taken))
  expect(shareOf(workers, '0', perWorker, overall)).toBeLessThanOrEqual(perWorker)
})

test('a new worker waits until the others have released their part, and the sum never exceeds the bound', async () => {
  await using database = await openDatabase()
  const { sql } = database
  const join = async () => {
    const bound = { ceiling: 0, open: 0 }
    const fleet = await joinFleet({
      sql,
      bound,
      perWorker: 64,
      overall: 10,
      requestTimeoutMs: 1_000,
      clock: { observe: () => {} },
      onHeartbeat: () => {},
      onError: () => {},
    })
    return { bound, ...fleet }
  }
  const sum = async () => (await listWorkers(sql)).reduce((all, { share }) => all + share, 0)

  const first = await join()
  expect(first.bound.ceiling).toBe(10)
  first.bound.open = 10
  const second = await join()
  expect(second.bound.ceiling).toBe(0)
  expect(await sum()).toBeLessThanOrEqual(10)

  await until(async () => first.bound.ceiling === 5)
  expect(second.bound.ceiling).toBe(0)
  first.bound.open = 7
  await until(async () => second.bound.ceiling === 3)
  first.bound.open = 2
  await until(async () => second.bound.ceiling === 5)
  expect(await sum()).toBe(10)

  await first.leave()
  await until(async () => second.bound.ceiling === 10)
  await second.leave()
})

test('one worker supervises at a time; the lease of one that died or left passes on, and a command takes none', async () => {
  await using database = await openDatabase()
  const { sql } = database
  const [first, second] = [randomUUID(), randomUUID()]
  const supervises = async (id: string, maySupervise = true) => (await takeTurn(sql, { id, maySupervise })).supervises

  expect(await supervises(randomUUID(), false)).toBe(false)
  expect(await supervises(first)).toBe(true)
  expect(await supervises(second)).toBe(false)

  await sql`update vigia.fleet set supervised_at = clock_timestamp() - interval '6 seconds'`
  expect(await supervises(second)).toBe(true)
  expect(await supervises(first)).toBe(false)

  // The clock of the database has stepped back.
  await sql`update vigia.fleet set supervised_at = clock_timestamp() + interval '1 hour'`
  expect(await supervises(first)).toBe(true)

  await leaveWorkers(sql, first)
  expect(await supervises(second)).toBe(true)
})

test('a new database expects one row of the fleet, so no server compiles a heartbeat as it would a long query', async () => {
  await using database = await openDatabase({ max: 1 })
  const { sql } = database
  const [plan] = await sql<[{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }]>`
    explain (format json) select from vigia.fleet`
  expect(plan['QUERY PLAN'][0].Plan['Plan Rows']).toBe(1)
})
