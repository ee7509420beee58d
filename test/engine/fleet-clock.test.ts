import { fc, test as property } from '@fast-check/vitest'
import { afterEach, expect, test, vi } from 'vitest'
import { startFleetClock } from '../../src/engine/fleet.ts'
import type { Sql } from '../../src/store/connect.ts'

afterEach(() => void vi.restoreAllMocks())

const stepWallClock = (ms: number): void => {
  const real = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => real() + ms)
}

/** A database whose clock shows this. */
const databaseAt = (at: Date) => (async () => [{ now: at }]) as unknown as Sql

test('a machine whose clock is an hour off follows the database', async () => {
  const now = Date.now()
  stepWallClock(3_600_000)
  const clock = await startFleetClock(databaseAt(new Date(now)))
  expect(Math.abs(clock.read().getTime() - now)).toBeLessThan(60_000)
})

test.each([-120_000, 25 * 3_600_000])(
  'a wall clock that steps by %i ms after the start changes nothing',
  async (ms) => {
    const clock = await startFleetClock(databaseAt(new Date()))
    const before = clock.read().getTime()
    stepWallClock(ms)
    expect(Math.abs(clock.read().getTime() - before)).toBeLessThan(60_000)
  },
)

test('a step of the database is followed and counted', async () => {
  const began = performance.now()
  const clock = await startFleetClock(databaseAt(new Date(1_000_000)))
  clock.observe(began + 500, new Date(1_000_500), began + 510)
  expect(clock.steps).toBe(0)
  clock.observe(began + 1_000, new Date(1_061_000), began + 1_010)
  expect(clock.steps).toBe(1)
  expect(clock.read().getTime()).toBeGreaterThan(1_059_000)
})

property.prop([
  fc.array(
    fc.record({ after: fc.nat(5_000), took: fc.nat(30_000), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  ),
])('answers of a steady clock, however slow they come, never look like a step', async (answers) => {
  const began = performance.now()
  const clock = await startFleetClock(databaseAt(new Date(1_000_000)))
  const offset = 1_000_000 - began
  let asked = began
  for (const { after, took, share } of answers) {
    asked += after
    clock.observe(asked, new Date(asked + took * share + offset), asked + took)
    asked += took
  }
  expect(clock.steps).toBe(0)
})
