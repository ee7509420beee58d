import { setTimeout as pause } from 'node:timers/promises'
import { heldLanes } from '../../../src/store/fleet/lanes.ts'
import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

/** Longer than a refused renewal is remembered, so that the renewal is requested again meanwhile. */
const deadForMs = 50_000

/** The token expires and is not renewed: every lane is held, the workers answer, and all resume once it is renewed. */
export const tokenDies: Scenario = {
  name: 'token-dies',
  size: 'no token for 50 s, 300 documents, 2 workers',
  async run({ open }) {
    await using arena = await open({
      scenario: { token: { expiresAfterCalls: 50, refuseRefresh: true }, latency: { all: { ms: 25, jitter: 20 } } },
      config: { request: { timeout: '5s', retries: 2 } },
    })
    await arena.fleet.startMany(2)
    await arena.submit(cpfs(300))
    await arena.until(async () => (await heldLanes(arena.sql)).some(({ cause }) => cause === 'token'))
    await pause(deadForMs)
    const held = (await heldLanes(arena.sql)).length
    await arena.sandbox.set({ token: { expiresAfterCalls: null, refuseRefresh: false } })
    await arena.finished(240_000)
    await arena.until(async () => (await heldLanes(arena.sql)).length === 0, 30_000)
    const findings = await check(arena)
    const { counts } = findings.evidence
    return outcomeOf(findings, { 'lanes held': held, renewals: counts.refresh }, [
      ...unlessOk(findings),
      counts.refresh > 40 && `${counts.refresh} renewals were requested while all were refused`,
    ])
  },
}
