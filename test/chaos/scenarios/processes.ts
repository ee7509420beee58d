import { setTimeout as pause } from 'node:timers/promises'
import { retryBatch } from '../../../src/batches/retry.ts'
import { accounts } from '../../../src/sandbox/tokens.ts'
import { readBatch } from '../../../src/store/batches/batches.ts'
import { cpfs } from '../../support/documents.ts'
import type { Arena } from '../arena.ts'
import { leftovers } from '../check-files.ts'
import { check } from '../checker.ts'
import { steeringOf } from '../model/person.ts'
import { killSome, latency, mixedFaults, outcomeOf, play, type Scenario, unlessOk } from '../scenario.ts'
import { sweepUnderKills } from '../sweep-under-kills.ts'

// Workers are killed or stopped, join or leave.

/**
 * Workers are killed at random moments, during imports, look-ups, reconciliation and exports, while one call in twenty
 * fails. Files arrive all the time, and each shares some documents with the one before it. Then two sweeps are killed.
 */
export const kills: Scenario = {
  name: 'kills',
  size: '30 kills over 1,000 documents, 16 over sweeps of 150 radars; full: 200 over 5,000, 80 over 1,000',
  async run({ open, random, full }) {
    const size = full ? { kills: 200, documents: 5_000, files: 20 } : { kills: 30, documents: 1_000, files: 5 }
    const sweeps = full ? { radars: 1_000, kills: 40 } : { radars: 150, kills: 8 }
    await using arena = await open({ scenario: { faults: mixedFaults, ...latency(40, 30) } })
    await arena.fleet.startMany(3)
    const share = Math.ceil(size.documents / size.files)
    const everyKills = Math.floor(size.kills / size.files)
    for (let killed = 0; killed < size.kills; killed++) {
      if (killed % everyKills === 0 && arena.submitted.length < size.files)
        await arena.submit(cpfs(share + 10, arena.submitted.length * share))
      await killSome(arena, random, 1)
    }
    await arena.finished(300_000)
    const quarantined = await retryQuarantined(arena)
    const findings = await check(arena)
    const swept = await sweepUnderKills(arena, random, sweeps)
    const figures = {
      kills: size.kills,
      'quarantined and retried': quarantined,
      'half-written files left': await leftovers(arena),
      ...swept.figures,
    }
    return outcomeOf(findings, figures, [...unlessOk(findings, ['unknown_outcome']), ...swept.problems])
  },
}

/**
 * A look-up that was the only claimed one three times when its worker died is quarantined as failed, guilty or not. Among
 * hundreds of kills this happens to some. An operator then retries it, and what was bought is only fetched.
 */
const retryQuarantined = async (arena: Arena): Promise<number> => {
  const quarantined = await arena.sql<{ id: bigint; batchIds: bigint[] }[]>`
    select l.id, array_agg(distinct r.batch_id) as batch_ids
      from vigia.lookup l
      join vigia.batch_row r on r.lookup_id = l.id
     where l.state = 'failed' and l.message ->> 0 = 'died_thrice'
     group by l.id`
  const since = new Date()
  for (const batchId of new Set(quarantined.flatMap(({ batchIds }) => batchIds))) {
    const freshSince = new Date(since.getTime() - 86_400_000)
    const again = { ...steeringOf(arena), states: ['failed'] as const, freshSince, adopts: true }
    const rows = await retryBatch(arena.sql, batchId, again)
    if (rows > 0)
      await arena.until(async () => ((await readBatch(arena.sql, batchId))?.exportedAt ?? since) > since, 120_000)
  }
  return quarantined.length
}

const bound = 64

/**
 * A fully loaded worker is killed. Its calls with an unknown outcome are judged by the registry's list, which takes time
 * and may need a person, so they must be few: at most twice as many as may be open, at any moment.
 */
export const unknownOutcome: Scenario = {
  name: 'in-doubt',
  size: '2 kills of a worker with 64 open requests; full: 20',
  async run({ open, random, full }) {
    await using arena = await open({
      scenario: latency(50, 20),
      config: { concurrency: { worker: bound, fleet: bound }, request: { timeout: '5s', retries: 2 } },
    })
    const { fleet, sandbox, sql } = arena
    const problems: string[] = []
    let most = 0
    for (let kill = 0; kill < (full ? 20 : 2); kill++) {
      const { counts } = await sandbox.summary()
      await arena.submit(cpfs(500, kill * 500))
      await fleet.startMany(1)
      while ((await sandbox.summary()).counts.generate < counts.generate + 200) await pause(5)
      await pause(random.between(0, 200))
      await fleet.killOne(random)
      const [left] = await sql<[{ intents: number }]>`select count(*)::int as intents from vigia.intent`
      most = Math.max(most, left.intents)
      if (left.intents > 2 * bound)
        problems.push(`a crash left ${left.intents} unknown outcomes, the bound is ${bound}`)
      await fleet.startMany(1)
      await arena.finished()
      await fleet.killOne(random)
    }
    const findings = await check(arena)
    return outcomeOf(findings, { 'unknown outcomes': most }, [...unlessOk(findings), ...problems])
  },
}

/** All workers are asked to stop during their work: they stop in time, and leave no unknown outcome. */
export const sigterm: Scenario = {
  name: 'sigterm',
  size: '8 stops; full: 40',
  async run({ open, random, full }) {
    const rounds = full ? 20 : 4
    await using arena = await open({
      scenario: latency(400, 350),
      config: { request: { timeout: '5s', retries: 2 } },
    })
    await arena.submit(cpfs(rounds * 120))
    const problems: string[] = []
    let slowest = 0
    for (let round = 0; round < rounds; round++) {
      await arena.fleet.startMany(2)
      await pause(random.between(100, 2_500))
      const left = await Promise.all([...arena.fleet.alive].map((worker) => arena.fleet.terminate(worker)))
      slowest = Math.max(slowest, ...left.map(({ ms }) => ms))
      problems.push(...left.filter(({ code }) => code !== 0).map(({ code, signal }) => `ended with ${code ?? signal}`))
      const [open] = await arena.sql<[{ sending: number; held: number }]>`
        select ((select count(*) from vigia.intent) + (select count(*) from vigia.lookup where state = 'sending'))::int as sending,
               (select count(*) from vigia.claim join pgboss.job on job.id = job_id where job.state = 'active')::int as held`
      if (open.sending > 0) problems.push(`a clean stop left ${open.sending} unknown outcomes`)
      if (open.held > 0) problems.push(`a clean stop left ${open.held} jobs claimed by the stopped worker`)
    }
    if (slowest > 30_000) problems.push('a worker took more than 30 s to stop')
    await arena.fleet.startMany(2)
    await arena.finished(240_000)
    const findings = await check(arena)
    const figures = { stops: rounds * 2, 'ms the slowest': Math.round(slowest) }
    return outcomeOf(findings, figures, [...problems, ...unlessOk(findings)])
  },
}

const most = 10

/** Processes join, leave and die, up to four at once: the registry never sees more open requests than the bound. */
export const fleetBound: Scenario = {
  name: 'fleet-bound',
  size: '14 processes join or leave; full: 60',
  run(context) {
    const { random, full } = context
    const changes = full ? 60 : 14
    return play(context, {
      ...{ workers: 2, documents: changes * 40, finishedWithinMs: 240_000, mayEnd: ['unknown_outcome'] },
      scenario: latency(150, 100),
      config: { concurrency: { worker: 8, fleet: most }, request: { timeout: '3s', retries: 2 } },
      async meanwhile({ fleet }) {
        for (let change = 0; change < changes; change++) {
          await pause(random.between(300, 1_500))
          if (fleet.alive.length < 2 || (fleet.alive.length < 4 && random.next() < 0.55)) await fleet.start()
          else if (random.next() < 0.5) await fleet.killOne(random)
          else await fleet.terminate(random.pick(fleet.alive))
        }
        return { 'the bound': most, 'joined or gone': changes }
      },
      judge: ({ figures: { open } }) => ({
        problems: [open! < most && `only ${open} requests were open at once: the bound was never reached`],
      }),
    })
  },
}

/** Two organizations ask about some of the same people, during faults and kills: neither uses a purchase of the other. */
export const twoOrganizations: Scenario = {
  name: 'two-organizations',
  size: '600 rows, 8 kills; full: 3,000 rows, 30 kills',
  run(context) {
    const documents = context.full ? 1_500 : 300
    return play(context, {
      ...{ workers: 3, documents, finishedWithinMs: 240_000, mayEnd: ['unknown_outcome'] },
      scenario: { faults: mixedFaults, ...latency(30, 25) },
      async meanwhile(arena) {
        const { organizationId } = accounts[1]
        await arena.submit(cpfs(documents, documents / 2), { organizationId })
        await killSome(arena, context.random, context.full ? 30 : 8, [100, 1_000])
        return {}
      },
      judge({ evidence: { requests } }, { submitted }) {
        const asked = new Set(submitted.flatMap((s) => s.documents.map((d) => `${s.organizationId} ${d}`)))
        const strays = requests.filter(
          ({ operation, organizationId, document }) =>
            operation === 'generate' && organizationId !== null && !asked.has(`${organizationId} ${document}`),
        ).length
        const problems = [strays > 0 && `${strays} calls named the wrong organization`]
        return { figures: { 'mixed up': strays }, problems }
      },
    })
  },
}
