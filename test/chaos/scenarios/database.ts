import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect, type Database } from '../../../src/store/connect.ts'
import { readVacuumHolder } from '../../../src/store/server-state.ts'
import { cpfs } from '../../support/documents.ts'
import { leftovers } from '../check-files.ts'
import { check } from '../checker.ts'
import { startCutProxy } from '../cut-proxy.ts'
import { latency, mixedFaults, outcomeOf, play, type Scenario, unlessOk } from '../scenario.ts'

// The database restarts, loses connections, keeps old rows; the disk is full.

/** PostgreSQL is stopped and started under load, cleanly and by force: workers wait for it and resume. */
export const postgresRestarts: Scenario = {
  name: 'postgres-restarts',
  size: '8 restarts, 1,000 documents; full: 30 restarts, 4,000',
  run(context) {
    const { random, full, server } = context
    const { restarts, documents } = full ? { restarts: 30, documents: 4_000 } : { restarts: 8, documents: 1_000 }
    return play(context, {
      ...{ workers: 2, documents, finishedWithinMs: 300_000, mayEnd: ['unknown_outcome'] },
      scenario: { faults: mixedFaults, ...latency(60, 40) },
      async meanwhile() {
        for (let restart = 0; restart < restarts; restart++) {
          await pause(random.between(300, 3_000))
          await server.restart(random.pick(['fast', 'immediate']))
        }
        return { restarts }
      },
    })
  },
}

/** The connection breaks at COMMIT: before it arrives, or after it did and before the answer. */
export const commitCut: Scenario = {
  name: 'commit-cut',
  size: '960 rows; full: 3,200',
  async run(context) {
    const { random, full } = context
    let calm = true
    await using proxy = await startCutProxy((query) => {
      if (calm || !/^commit/i.test(query.trim()) || random.next() > 0.08) return 'pass'
      return random.pick(['cutBefore', 'cutAfter'])
    })
    return await play(context, {
      ...{ workers: 2, documents: 320, finishedWithinMs: 300_000, mayEnd: ['unknown_outcome'] },
      scenario: { faults: mixedFaults, ...latency(20, 15) },
      workersReach: (url) => proxy.through(url),
      async meanwhile(arena) {
        calm = false
        for (let file = 1; file < (full ? 10 : 3); file++) await arena.submit(cpfs(320, file * 300))
        return {}
      },
      judge: () => ({
        figures: { 'commits cut': proxy.cuts },
        problems: [proxy.cuts === 0 && 'no commit was cut: the proxy proves nothing'],
      }),
    })
  },
}

const run = promisify(execFile)

/** The disk is full when the report is written: no partial file appears, and once there is space the report is complete. */
export const diskFull: Scenario = {
  name: 'disk-full',
  size: '1,500 documents on a disk of 128 KiB',
  async run({ open }) {
    await using arena = await open()
    const outbox = join(arena.home, 'vigia', 'outbox')
    await mkdir(outbox, { recursive: true })
    const full = await mountSmall(outbox, '128k')
    if (!full)
      return { problems: [], figures: {}, skipped: 'a small disk can only be mounted as root with that privilege' }
    await using _unmount = { [Symbol.asyncDispose]: async () => void (await run('umount', ['-l', outbox])) }
    await arena.fleet.startMany(1)
    await arena.submit(cpfs(1_500))
    const refusal = async () => (await readFile(arena.fleet.logs[0]!, 'utf8')).includes('ENOSPC')
    await arena.until(refusal)
    const halves = await leftovers(arena)
    await run('mount', ['-o', 'remount,size=32m', outbox])
    await arena.finished()
    const findings = await check(arena)
    return outcomeOf(findings, { 'half-written files': halves }, [
      ...unlessOk(findings),
      halves > 3 && `${halves} half-written files are in the outbox`,
    ])
  },
}

const mountSmall = async (folder: string, size: string): Promise<boolean> => {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder])
    return true
  } catch {
    return false
  }
}

const application = 'reporting tool'
const secondsMeasured = 20

/** An idle transaction and an unused replication slot keep every old row version: look-ups are as fast as before. */
export const heldHorizon: Scenario = {
  name: 'held-horizon',
  size: 'one minute, 20,000 documents; full: 10 minutes, 100,000',
  async run({ open, full }) {
    const { minutes, documents } = full ? { minutes: 10, documents: 100_000 } : { minutes: 1, documents: 20_000 }
    await using arena = await open({
      scenario: latency(60, 40),
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
