import { setTimeout as pause } from 'node:timers/promises'
import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

const most = 10

/** Processes join, leave and die, up to four at once: the registry never sees more open requests than the bound. */
export const fleetBound: Scenario = {
  name: 'fleet-bound',
  size: '14 processes join or leave; full: 60',
  async run({ open, random, full }) {
    const changes = full ? 60 : 14
    await using arena = await open({
      scenario: { latency: { all: { ms: 150, jitter: 100 } } },
      config: { concurrency: { worker: 8, fleet: most }, request: { timeout: '3s', retries: 2 } },
    })
    const { fleet } = arena
    await fleet.startMany(2)
    await arena.submit(cpfs(changes * 40))
    for (let change = 0; change < changes; change++) {
      await pause(random.between(300, 1_500))
      if (fleet.alive.length < 2 || (fleet.alive.length < 4 && random.next() < 0.55)) await fleet.start()
      else if (random.next() < 0.5) await fleet.killOne(random)
      else await fleet.terminate(random.pick(fleet.alive))
    }
    await arena.finished(240_000)
    const findings = await check(arena)
    return outcomeOf(findings, { 'the bound': most, 'joined or gone': changes }, [
      ...unlessOk(findings, ['unknown_outcome']),
      findings.figures.open! < most &&
        `only ${findings.figures.open} requests were open at once: the bound was never reached`,
    ])
  },
}
