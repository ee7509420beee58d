import { setTimeout as pause } from 'node:timers/promises'
import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

/** All workers are asked to stop during their work: they stop in time, and leave no unknown outcome. */
export const sigterm: Scenario = {
  name: 'sigterm',
  size: '8 stops; full: 40',
  async run({ open, random, full }) {
    const rounds = full ? 20 : 4
    await using arena = await open({
      scenario: { latency: { all: { ms: 400, jitter: 350 } } },
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
      const [parkedCall] = await arena.sql<{ sending: number; held: number }[]>`
        select ((select count(*) from vigia.intent) + (select count(*) from vigia.lookup where state = 'sending'))::int as sending,
               (select count(*) from vigia.claim join pgboss.job on job.id = job_id where job.state = 'active')::int as held`
      if (parkedCall!.sending > 0) problems.push(`a clean stop left ${parkedCall!.sending} unknown outcomes`)
      if (parkedCall!.held > 0)
        problems.push(`a clean stop left ${parkedCall!.held} jobs claimed by the stopped worker`)
    }
    if (slowest > 30_000) problems.push('a worker took more than 30 s to stop')
    await arena.fleet.startMany(2)
    await arena.finished(240_000)
    const findings = await check(arena)
    return outcomeOf(findings, { stops: rounds * 2, 'ms the slowest': Math.round(slowest) }, [
      ...problems,
      ...unlessOk(findings),
    ])
  },
}
