import { setTimeout as pause } from 'node:timers/promises'
import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

const bound = 64
const documents = 500

/**
 * A fully loaded worker is killed. Its calls with an unknown outcome are judged by the registry's list, which takes time
 * and may need a person, so they must be few: at most twice as many as may be open, at any moment.
 */
export const unknownOutcome: Scenario = {
  name: 'in-doubt',
  size: '2 kills of a worker with 64 open requests; full: 20',
  async run({ open, random, full }) {
    await using arena = await open({
      scenario: { latency: { all: { ms: 50, jitter: 20 } } },
      config: { concurrency: { worker: bound, fleet: bound }, request: { timeout: '5s', retries: 2 } },
    })
    const { fleet, sandbox, sql } = arena
    const problems: string[] = []
    let most = 0
    for (let kill = 0; kill < (full ? 20 : 2); kill++) {
      const { counts } = await sandbox.summary()
      await arena.submit(cpfs(documents, kill * documents))
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
