import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Database } from '../../../src/store/connect.ts'
import { readVacuumHolder } from '../../../src/store/server-state.ts'
import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

const application = 'reporting tool'
const secondsMeasured = 20

/** An idle transaction and an unused replication slot keep every old row version: look-ups are as fast as before. */
export const heldHorizon: Scenario = {
  name: 'held-horizon',
  size: 'one minute, 20,000 documents; full: 10 minutes, 100,000',
  async run({ open, full }) {
    const { minutes, documents } = full ? { minutes: 10, documents: 100_000 } : { minutes: 1, documents: 20_000 }
    await using arena = await open({
      scenario: { latency: { all: { ms: 60, jitter: 40 } } },
      // The list of purchases gets long, and the batch lasts.
      config: { request: { timeout: '30s', retries: 2 }, polling: { deadline: '2h' } },
    })
    await arena.fleet.startMany(2)
    await arena.submit(cpfs(documents))
    await arena.until(async () => (await endedIn(arena.sql)) > 200)
    const before = await ratePerSecond(arena.sql)

    const holder = await openHolder(arena.databaseUrl)
    await pause(minutes * 60_000)
    const during = await ratePerSecond(arena.sql)
    const named = await readVacuumHolder(arena.sql, { seconds: 60, transactions: 0 })
    await holder.release()

    await arena.finished(1_200_000)
    const findings = await check(arena)
    const ratio = during / before
    return outcomeOf(findings, { 'a second before': Math.round(before), 'a second during': Math.round(during) }, [
      ratio < 0.9 && `look-ups slowed to ${ratio.toFixed(2)} of their rate`,
      !named?.name.startsWith(application) && `the holder was named ${named?.name}`,
      ...unlessOk(findings),
    ])
  },
}

const openHolder = async (databaseUrl: string) => {
  const sql = connect(databaseUrl, { max: 2, name: application, hasSession: true })
  await sql`select pg_create_physical_replication_slot('unused', true)`
  const release = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const held = sql.begin('isolation level repeatable read', async (tx) => {
    await tx`select count(*) from vigia.lookup`
    begun.resolve()
    await release.promise
  })
  await begun.promise
  return {
    async release() {
      release.resolve()
      await held
      await sql`select pg_drop_replication_slot('unused')`
      await sql.end()
    },
  }
}

const endedIn = async (sql: Database): Promise<number> => {
  const [row] = await sql<[{ ended: number }]>`
    select coalesce(sum(rows), 0)::int as ended from vigia.batch_count where state = 'ok'`
  return row.ended
}

const ratePerSecond = async (sql: Database): Promise<number> => {
  const [began, from] = [performance.now(), await endedIn(sql)]
  await pause(secondsMeasured * 1_000)
  return ((await endedIn(sql)) - from) / ((performance.now() - began) / 1_000)
}
