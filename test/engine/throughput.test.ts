import { expect, test } from 'vitest'
import { latencyLimits, latencyOf, latencyPlace } from '../../src/domain/pace.ts'
import { readLastHour } from '../../src/views/installation.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { anotherEngine, setup } from '../support/setup.ts'

test('workers record together how many look-ups ended, and how the registry answered', async () => {
  const faults = [{ operation: 'consult' as const, fault: 'serverError' as const, times: 1 }]
  await using t = await setup({ sandbox: { scenario: { faults } } })
  expect(await readLastHour(t.sql, t.tools.clock())).toBeNull()

  await t.finished(await t.submit(csvOf(cpfs(5))))
  await t.running.stop()
  const another = await anotherEngine(t)
  await t.finished(await t.submit(csvOf(cpfs(3, 100))))
  await another.stop()

  const hour = await readLastHour(t.sql, another.engine.clock())
  expect(hour).toMatchObject({ lookups: 8, failures: 1 })
  expect(hour!.calls).toBeGreaterThanOrEqual(17)
  expect(hour!.minutes).toHaveLength(60)
  expect(await readLastHour(t.sql, new Date(another.engine.clock().getTime() + 65 * 60_000))).toBeNull()
})

test('a latency is the limit within which a share of the calls was answered', () => {
  const counts = latencyLimits.map(() => 0)
  for (const seconds of [0.001, 0.05, 0.05, 0.05, 30, 9_999]) counts[latencyPlace(seconds)]!++
  expect(latencyOf(counts, 0.5)).toBeCloseTo(0.0566, 3)
  expect(latencyOf(counts, 0.95)).toBe(latencyLimits.at(-1))
  expect(latencyOf([], 0.5)).toBeNull()
})
