import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accounts } from '../../src/sandbox/tokens.ts'
import { resumeLane } from '../../src/store/fleet/lanes.ts'
import { openArena } from '../chaos/arena.ts'
import { startPostgres } from '../chaos/postgres-server.ts'
import { cpfs } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { quickenRules } from './quicken-rules.ts'
import { type Prometheus, startPrometheus } from './start-prometheus.ts'

const rules = join(import.meta.dirname, '../../ops/prometheus-rules.yaml')
/** An hour of the rules passes in 18 seconds. A worker's figures are still up to 15 s old. */
const factor = 200
const [{ organizationId, planId }] = accounts

test('only the right alerts fire in a real Prometheus while things break, and all of them end', async () => {
  await using server = await startPostgres()
  await using arena = await openArena({ server, seed: 1, scenario: { plans: { [planId]: { units: 5 } } } })
  await using prometheus = await startPrometheus(quickenRules(await readFile(rules, 'utf8'), factor))
  const { sandbox, fleet } = arena
  const plan = { name: 'VigiaLaneHeldForPerson', summary: `analysis of organization ${organizationId} is held (plan)` }
  const away = {
    name: 'VigiaLaneHeldLong',
    summary: `cnh of organization ${organizationId} has been held for an hour (outage)`,
  }
  const down = { name: 'VigiaDown', summary: 'No worker answers' }

  const worker = await fleet.start()
  await worker.ready
  await prometheus.watch(worker.page!)
  await until(async () => (await prometheus.up()) === 1)
  await fires(prometheus, [])

  await sandbox.set({
    faults: [{ operation: ['cnhCreate', 'cnhRead', 'cnhLatest'], fault: 'serverError', status: 503 }],
  })
  await arena.submit(cpfs(20))
  await arena.submit(cpfs(9), { kind: 'cnh' })
  await fires(prometheus, [plan, away])

  await fleet.kill(worker)
  await fires(prometheus, [down])

  const another = await fleet.start()
  await another.ready
  await prometheus.watch(another.page!)
  await fires(prometheus, [plan, away])

  // After a hold, work is overdue; the rules allow it ten minutes, which here is shorter than the age of a figure.
  expect(await prometheus.everFired()).toEqual([down.name, plan.name, away.name].sort())
  await sandbox.set({ faults: [], plans: {} })
  await resumeLane(arena.sql, { organizationId, kind: 'analysis' })
  await arena.finished()
  await fires(prometheus, [])
})

/** Waits until exactly these fire. */
const fires = async (prometheus: Prometheus, expected: { name: string; summary: string }[]): Promise<void> => {
  let firing: unknown
  await until(async () => {
    firing = (await prometheus.firing()).map(({ name, summary }) => ({ name, summary }))
    return JSON.stringify(firing) === JSON.stringify(expected)
  }, 90_000).catch(() => {})
  expect(firing).toEqual(expected)
}
