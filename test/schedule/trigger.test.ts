import { expect, test } from 'vitest'
import { createTrigger, startSchedules } from '../../src/schedule/start-schedules.ts'
import type { Database, Sql } from '../../src/store/connect.ts'
import { finishSweep, listSweeps } from '../../src/store/radars/sweeps.ts'
import { openDatabase } from '../support/database.ts'

const toolsAt = (sql: Database, moment: { now: string }) => ({
  sql,
  timezone: 'America/Sao_Paulo',
  clock: () => new Date(moment.now),
  enqueue: async () => {},
  log: { debug() {}, info() {}, warn() {} },
})
const nightly = { name: 'radars' as const, expression: '0 2 * * *', businessDaysOnly: false }

test('a first start in the afternoon does not make up for a night before it', async () => {
  await using database = await openDatabase({ max: 2 })
  const { sql } = database
  const trigger = await createTrigger(toolsAt(sql, { now: '2026-11-10T15:00:00-03:00' }), nightly)

  expect(await trigger.trigger()).toBe(false)
})

test('a slot missed while all workers were down is made up once, and reported as missed', async () => {
  await using database = await openDatabase({ max: 2 })
  const { sql } = database
  const moment = { now: '2026-11-10T23:00:00-03:00' }
  await createTrigger(toolsAt(sql, moment), nightly)
  moment.now = '2026-11-11T09:00:00-03:00'
  const restarted = await createTrigger(toolsAt(sql, moment), nightly)

  expect(await restarted.trigger()).toBe(true)
  expect(await restarted.trigger()).toBe(false)
  expect(await listSweeps(sql, { limit: 9 })).toMatchObject([{ slot: '2026-11-11T02:00', trigger: 'missed' }])
})

test('a trigger waits while the previous sweep still runs, and takes effect when that ends', async () => {
  await using database = await openDatabase({ max: 2 })
  const { sql } = database
  const moment = { now: '2026-11-10T02:00:00-03:00' }
  const woken: bigint[] = []
  const enqueue = async (_: Sql, { id }: { id: bigint }) => void woken.push(id)
  const trigger = await createTrigger({ ...toolsAt(sql, moment), enqueue }, nightly)
  await trigger.trigger()
  moment.now = '2026-11-11T02:00:30-03:00'

  expect(await trigger.trigger()).toBe(false)
  expect(await trigger.trigger()).toBe(false)
  const [running] = await listSweeps(sql, { limit: 1 })
  // Once by its own slot; and by the next one, since a job that was lost would never end it.
  expect(woken).toEqual([running!.id, running!.id])
  await finishSweep(sql, running!.id, { state: 'done', detail: {}, now: new Date(moment.now) })
  expect(await trigger.trigger()).toBe(true)
})

test('a changed schedule owes nothing for slots before the change', async () => {
  await using database = await openDatabase({ max: 2 })
  const { sql } = database
  const moment = { now: '2026-11-10T01:00:00-03:00' }
  await createTrigger(toolsAt(sql, moment), nightly)
  moment.now = '2026-11-10T15:00:00-03:00'
  const trigger = await createTrigger(toolsAt(sql, moment), { ...nightly, expression: '0 14 * * *' })

  expect(await trigger.trigger()).toBe(false)
})

test('schedules trigger at start, and one that is turned off does not', async () => {
  await using database = await openDatabase({ max: 2 })
  const { sql } = database
  const sweeps = { radars: '* * * * *', unfinished: null, usage: null, purge: null }
  const settings = { timezone: 'America/Sao_Paulo', sweeps, radarSweep: { businessDaysOnly: false } }
  const schedules = await startSchedules({ ...toolsAt(sql, { now: '2026-11-10T15:00:00-03:00' }), settings })
  await schedules.stop()

  expect(await listSweeps(sql, { limit: 9 })).toMatchObject([{ name: 'radars', slot: '2026-11-10T15:00' }])
})

test('a sweep of a single pass is logged at debug level', async () => {
  await using database = await openDatabase({ max: 2 })
  const { sql } = database
  const message: string[] = []
  const log = {
    debug: (_: object, phrase: string) => message.push(`debug ${phrase}`),
    info: (_: object, phrase: string) => message.push(`info ${phrase}`),
    warn() {},
  }
  const moment = { now: '2026-11-10T02:00:00-03:00' }
  for (const name of ['unfinished', 'radars'] as const)
    await (await createTrigger({ ...toolsAt(sql, moment), log }, { ...nightly, name })).trigger()
  expect(message).toEqual(['debug sweep begins', 'info sweep begins'])
})
