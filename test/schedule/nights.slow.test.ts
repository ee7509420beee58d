import { expect, test } from 'vitest'
import { localMinute } from '../../src/domain/calendar.ts'
import { createTrigger, type Trigger } from '../../src/schedule/start-schedules.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { recordAudit } from '../../src/store/people/audit.ts'
import { finishSweep, listSweeps, runningSweeps } from '../../src/store/radars/sweeps.ts'
import { seededRandom } from '../chaos/random.ts'
import { createDatabase } from '../support/database.ts'

const hour = 3_600_000
const nights = 400

/**
 * In these years both clocks jump over the slot in one night and show it twice in another: São Paulo at midnight, Lisbon at
 * one o'clock.
 */
test.each([
  ['America/Sao_Paulo', '30 0 * * *', '2017-09-01T12:00:00Z'],
  ['America/Sao_Paulo', '30 23 * * *', '2017-09-01T12:00:00Z'],
  ['Europe/Lisbon', '30 1 * * *', '2025-02-01T12:00:00Z'],
])('four workers make 400 sweeps of 400 nights in %s at %s', async (timezone, expression, start) => {
  await using database = await openPools(4)
  const world = new World(database.pools, timezone, expression, Date.parse(start))
  await world.begin()

  for (let night = 0; night < nights; night++) await world.live()

  const [sql] = database.pools as [Database]
  const sweeps = await listSweeps(sql, { name: 'radars', limit: 1_000 })
  expect(sweeps).toHaveLength(nights)
  expect(new Set(sweeps.map(({ slot }) => slot.slice(0, 10))).size).toBe(nights)
  // One that still runs at the next slot is enqueued again.
  expect(new Set(world.enqueued).size).toBe(nights)
  expect(sweeps.filter(({ trigger }) => trigger === 'missed').length).toBeGreaterThan(10)
  expect(world.killed).toBeGreaterThan(10)
})

/** Four workers that trigger at random moments, are killed between claim and commit, restart, or are all down for hours. */
class World {
  readonly #pools: Database[]
  readonly #timezone: string
  readonly #expression: string
  readonly #random = seededRandom(7).next
  #now: number
  #triggers: Trigger[] = []
  #dies = false
  enqueued: bigint[] = []
  killed = 0

  constructor(pools: Database[], timezone: string, expression: string, start: number) {
    this.#pools = pools
    this.#timezone = timezone
    this.#expression = expression
    this.#now = start
  }

  async begin(): Promise<void> {
    this.#triggers = await Promise.all(this.#pools.map((sql) => this.#startWorker(sql)))
  }

  /** From noon to noon: whatever happens in between, the workers are up again before the next noon. */
  async live(): Promise<void> {
    const noon = this.#nextNoon()
    const down = this.#random() < 0.2 ? this.#downtime(noon) : null
    while (this.#now < noon) {
      this.#now = Math.min(noon, this.#now + this.#random() * 4 * hour)
      if (down && this.#now > down.from && this.#now < down.to) continue
      if (this.#random() < 0.05) await this.begin()
      this.#dies = this.#random() < 0.1
      await Promise.all(this.#triggers.map((trigger) => trigger.trigger().catch(() => void this.killed++)))
      this.#dies = false
      await this.#finishSome()
    }
    await Promise.all(this.#triggers.map((trigger) => trigger.trigger()))
  }

  #nextNoon(): number {
    let noon = this.#now + 20 * hour
    while (localMinute(new Date(noon), this.#timezone).slice(11, 13) !== '12') noon += hour / 2
    return noon
  }

  #downtime(noon: number): { from: number; to: number } {
    const from = noon - (14 + this.#random() * 8) * hour
    return { from, to: Math.min(noon - hour, from + this.#random() * 13 * hour) }
  }

  /** A sweep takes some time, and may still run when others trigger. */
  async #finishSome(): Promise<void> {
    const [sql] = this.#pools as [Database]
    for (const { id } of await runningSweeps(sql)) {
      if (this.#random() < 0.7) await finishSweep(sql, id, { state: 'done', detail: {}, now: new Date(this.#now) })
    }
  }

  #startWorker(sql: Database): Promise<Trigger> {
    const tools = {
      sql,
      timezone: this.#timezone,
      clock: () => new Date(this.#now),
      enqueue: async (tx: Parameters<typeof recordAudit>[0], { id }: { id: bigint }) => {
        await recordAudit(tx, 'test', 'enqueue', `sweep ${id}`)
        if (this.#dies) throw new Error('killed between claim and commit')
        this.enqueued.push(id)
      },
      log: { debug() {}, info() {}, warn() {} },
    }
    return createTrigger(tools, { name: 'radars', expression: this.#expression, businessDaysOnly: false })
  }
}

/** A database of its own, and as many pools on it as there are workers. */
const openPools = async (count: number): Promise<AsyncDisposable & { pools: Database[] }> => {
  const database = await createDatabase()
  const pools = Array.from({ length: count }, () => connect(database.url, { max: 2 }))
  return {
    pools,
    async [Symbol.asyncDispose]() {
      await Promise.all(pools.map((pool) => pool.end()))
      await database.drop()
    },
  }
}
