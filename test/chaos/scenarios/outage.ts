import { setTimeout as pause } from 'node:timers/promises'
import { heldLanes } from '../../../src/store/fleet/lanes.ts'
import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

/** The registry is unavailable for a while: the lane is held, few calls are wasted on it, and it resumes by itself. */
export const outage: Scenario = {
  name: 'outage',
  size: '15 s of outage; full: 3 minutes',
  async run({ open, random, full }) {
    const forMs = full ? 180_000 : 15_000
    await using arena = await open({ scenario: { latency: { all: { ms: 30, jitter: 20 } } } })
    await arena.fleet.startMany(3)
    await arena.submit(cpfs(600))
    await arena.until(async () => (await arena.sandbox.summary()).charges.total > 100)
    await arena.sandbox.set({ outage: { how: random.pick(['unavailable', 'closed'] as const), forMs } })
    await arena.until(async () => (await heldLanes(arena.sql)).some(({ cause }) => cause === 'outage'))
    await pause(forMs)
    await arena.finished(300_000)
    const findings = await check(arena)
    const wasted = findings.evidence.faults.outage ?? 0
    return outcomeOf(findings, { 's away': forMs / 1_000, 'calls met it': wasted }, [
      ...unlessOk(findings),
      wasted > 300 && `${wasted} calls were spent on an unavailable registry`,
    ])
  },
}
