import { accounts } from '../../../src/sandbox/tokens.ts'
import { heldLanes, resumeLane } from '../../../src/store/fleet/lanes.ts'
import { cpfs } from '../../support/documents.ts'
import type { Arena } from '../arena.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

const [{ organizationId, planId }] = accounts

/** The plan runs out half-way: the lane stops within the bound, and after the refill exactly the rest is bought. */
export const planRunsOut: Scenario = {
  name: 'plan-runs-out',
  size: '1,000 documents, 200 units; full: 5,000 and 1,000',
  async run({ open, full }) {
    const { units, documents } = full ? { units: 1_000, documents: 5_000 } : { units: 200, documents: 1_000 }
    await using arena = await open({
      scenario: { plans: { [planId]: { units } }, latency: { all: { ms: 30, jitter: 20 } } },
    })
    await arena.fleet.startMany(4)
    await arena.submit(cpfs(documents))
    await arena.until(async () => (await heldLanes(arena.sql)).some(({ cause }) => cause === 'plan'))
    await arena.until(() => isQuiet(arena))
    const refused = (await arena.sandbox.summary()).refusals.PLAN_NOT_ALLOWED ?? 0
    const before = (await arena.sandbox.summary()).charges.total
    await arena.sandbox.set({ plans: {} })
    await resumeLane(arena.sql, { organizationId, kind: 'analysis' })
    await arena.finished(300_000)
    const findings = await check(arena)
    const { charges } = findings.figures
    return outcomeOf(findings, { 'refused calls': refused }, [
      ...unlessOk(findings),
      before !== units && `${before} charges under a plan of ${units}`,
      refused > arena.most && `${refused} calls were refused, the bound is ${arena.most}`,
      charges !== documents && `${charges} charges for ${documents} documents`,
    ])
  },
}

const isQuiet = async ({ sql }: Arena): Promise<boolean> =>
  (
    await sql`select from vigia.lookup where state in ('sending', 'waiting') or exists (select from vigia.claim) or exists (select from vigia.intent) limit 1`
  ).length === 0
