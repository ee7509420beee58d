import { expect, test } from 'vitest'
import { joinFleet } from '../../src/engine/fleet.ts'
import type { Database } from '../../src/store/connect.ts'
import { openDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const joined = async (sql: Database) => {
  const bound = { ceiling: 0, open: 0 }
  const quiet = { clock: { observe: () => {} }, onHeartbeat: () => {}, onError: () => {} }
  const fleet = await joinFleet({ sql, bound, perWorker: 8, overall: 8, requestTimeoutMs: 1_000, ...quiet })
  return { bound, ...fleet }
}

test('a worker whose heartbeat is not answered sends nothing more, and resumes when it is', async () => {
  await using database = await openDatabase({ max: 4 })
  const { sql } = database
  const { bound, leave } = await joined(sql)
  expect(bound.ceiling).toBe(8)

  await sql.begin(async (tx) => {
    await tx`lock table vigia.fleet, vigia.worker in access exclusive mode`
    await until(async () => bound.ceiling === 0, 30_000)
  })
  await until(async () => bound.ceiling === 8)

  await leave()
})

test('the share of a silent worker is free once its last request has ended, whatever the clock of the database did', async () => {
  await using database = await openDatabase()
  const { sql } = database
  await sql`
    insert into vigia.worker (id, host, pid, share, open, heartbeat_at)
    values (gen_random_uuid(), 'elsewhere', 1, 5, 5, clock_timestamp() - interval '1 hour')`
  const { bound, leave } = await joined(sql)
  expect(bound.ceiling).toBe(3)

  await until(async () => bound.ceiling === 8, 30_000)

  await leave()
})
