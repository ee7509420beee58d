import type { ScenarioPatch } from '../../../src/sandbox/scenario.ts'
import { cpfs } from '../../support/documents.ts'
import type { Arena } from '../arena.ts'
import { check } from '../checker.ts'
import { type Fate, startCutProxy } from '../cut-proxy.ts'
import { outcomeOf, type Scenario, type ScenarioContext, unlessCharged, unlessOk } from '../scenario.ts'

const rows = 20
const shortTimeouts = { request: { timeout: '300ms', retries: 1 } }

/**
 * The k-th call to the database fails, then the k-th to the registry, for every k until a run meets no fault.
 *
 * One worker runs through all of it. Each run is a file of twenty new people: no row is lost, and each is paid once.
 */
export const kthDatabaseCall: Scenario = {
  name: 'kth-database-call',
  size: '20 rows for every 7th k; full: for every k',
  async run(context) {
    let left = Number.POSITIVE_INFINITY
    let fate: Fate = 'pass'
    await using proxy = await startCutProxy(() => (--left === 0 ? fate : 'pass'))
    await using arena = await context.open({ config: shortTimeouts, workersReach: (url) => proxy.through(url) })
    const arm = async (k: number) => {
      fate = k % 2 === 0 ? 'cutBefore' : 'cutAfter'
      left = k
    }
    return await untilNoFault(context, arena, arm, async () => left <= 0)
  },
}

const faults = ['closedBefore', 'closedAfter', 'hang', 'serverErrorAfter', 'serverError', 'empty'] as const

export const kthRegistryCall: Scenario = {
  name: 'kth-registry-call',
  size: '20 rows for every 7th k; full: for every k',
  async run(context) {
    await using arena = await context.open({ config: shortTimeouts, readyAfterMs: 0 })
    const total = async () => Object.values((await arena.sandbox.summary()).faults).reduce((sum, n) => sum + n, 0)
    let before = 0
    const arm = async (k: number) => {
      before = await total()
      const fault = faults[k % faults.length]!
      const rule: NonNullable<ScenarioPatch['faults']>[number] = { operation: 'all', nth: k, fault, worked: true }
      await arena.sandbox.set({ faults: [rule] })
    }
    return await untilNoFault(context, arena, arm, async () => (await total()) > before)
  },
}

const untilNoFault = async (
  { full, seed }: ScenarioContext,
  arena: Arena,
  arm: (k: number) => Promise<void>,
  met: () => Promise<boolean>,
) => {
  await arena.fleet.startMany(1)
  const stride = full ? 1 : 7
  let runs = 0
  let cleared = false
  for (let k = full ? 1 : 1 + (seed % stride); k < 3_000 && !cleared; k += stride) {
    await arm(k)
    const { batchId } = await arena.submit(cpfs(rows, runs * rows))
    runs++
    await arena.finished(60_000).catch((error) => {
      throw new Error(`k = ${k}, batch ${batchId}: ${error.message}`)
    })
    cleared = !(await met())
  }
  const findings = await check(arena)
  return outcomeOf(findings, { runs }, [
    ...unlessOk(findings),
    !cleared && 'no run was free of faults: the loop was not long enough',
    unlessCharged(findings, runs * rows),
  ])
}
