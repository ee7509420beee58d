import { expect, test, vi } from 'vitest'
import { startFleetClock } from '../../src/engine/fleet.ts'
import { connect } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'

test('a machine whose clock is an hour off goes by the database', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  await sql`select 1`
  const real = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => real() + 3_600_000)
  const clock = await startFleetClock(sql, () => {})
  const told = clock.read().getTime()
  vi.restoreAllMocks()

  expect(Math.abs(told - Date.now())).toBeLessThan(60_000)
  clock.stop()
  await sql.end()
  await database.drop()
})
