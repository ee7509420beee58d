import { setTimeout as pause } from 'node:timers/promises'
import { cpfs } from '../../support/documents.ts'
import { leftovers } from '../check-files.ts'
import { check } from '../checker.ts'
import { mixedFaults } from '../mixed-faults.ts'
import { retryQuarantined } from '../retry-quarantined.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'
import { sweepUnderKills } from '../sweep-under-kills.ts'

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
    await using arena = await open({ scenario: { faults: mixedFaults, latency: { all: { ms: 40, jitter: 30 } } } })
    const { fleet } = arena
    await fleet.startMany(3)
    const share = Math.ceil(size.documents / size.files)
    const everyKills = Math.floor(size.kills / size.files)
    for (let killed = 0; killed < size.kills; killed++) {
      if (killed % everyKills === 0 && arena.submitted.length < size.files) {
        await arena.submit(cpfs(share + 10, arena.submitted.length * share))
      }
      await pause(random.between(50, 900))
      await fleet.killOne(random)
      await fleet.start()
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
