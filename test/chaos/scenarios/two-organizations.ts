import { setTimeout as pause } from 'node:timers/promises'
import { accounts } from '../../../src/sandbox/tokens.ts'
import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { mixedFaults } from '../mixed-faults.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

/** Two organizations ask about some of the same people, during faults and kills: neither uses a purchase of the other. */
export const twoOrganizations: Scenario = {
  name: 'two-organizations',
  size: '600 rows, 8 kills; full: 3,000 rows, 30 kills',
  async run({ open, random, full }) {
    const documents = full ? 1_500 : 300
    await using arena = await open({ scenario: { faults: mixedFaults, latency: { all: { ms: 30, jitter: 25 } } } })
    await arena.fleet.startMany(3)
    const [one, other] = accounts.map(({ organizationId }) => organizationId)
    await arena.submit(cpfs(documents), { organizationId: one })
    await arena.submit(cpfs(documents, documents / 2), { organizationId: other })
    for (let kill = 0; kill < (full ? 30 : 8); kill++) {
      await pause(random.between(100, 1_000))
      await arena.fleet.killOne(random)
      await arena.fleet.start()
    }
    await arena.finished(240_000)
    const findings = await check(arena)
    const asked = new Set(arena.submitted.flatMap((s) => s.documents.map((d) => `${s.organizationId} ${d}`)))
    const strays = findings.evidence.requests.filter(
      ({ operation, organizationId, document }) =>
        operation === 'generate' && organizationId !== null && !asked.has(`${organizationId} ${document}`),
    )
    return outcomeOf(findings, { 'mixed up': strays.length }, [
      ...unlessOk(findings, ['unknown_outcome']),
      strays.length > 0 && `${strays.length} calls named the wrong organization`,
    ])
  },
}
