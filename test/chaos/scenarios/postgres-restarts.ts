import { setTimeout as pause } from 'node:timers/promises'
import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { mixedFaults } from '../mixed-faults.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

/** PostgreSQL is stopped and started under load, cleanly and by force: workers wait for it and resume. */
export const postgresRestarts: Scenario = {
  name: 'postgres-restarts',
  size: '8 restarts, 1,000 documents; full: 30 restarts, 4,000',
  async run({ open, random, full, server }) {
    const { restarts, documents } = full ? { restarts: 30, documents: 4_000 } : { restarts: 8, documents: 1_000 }
    await using arena = await open({ scenario: { faults: mixedFaults, latency: { all: { ms: 60, jitter: 40 } } } })
    await arena.fleet.startMany(2)
    await arena.submit(cpfs(documents))
    for (let restart = 0; restart < restarts; restart++) {
      await pause(random.between(300, 3_000))
      await server.restart(random.pick(['fast', 'immediate']))
    }
    await arena.finished(300_000)
    const findings = await check(arena)
    return outcomeOf(findings, { restarts }, unlessOk(findings, ['unknown_outcome']))
  },
}
