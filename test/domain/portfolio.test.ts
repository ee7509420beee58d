import { expect, test } from 'vitest'
import { runsAhead } from '../../src/domain/portfolio.ts'

const day = 86_400_000
const now = new Date('2026-11-10T12:00:00Z')
const until = new Date('2026-12-01T03:00:00Z')
const ahead = (dueAt: Date | null, everyDays: number, freshDays: number, isPaused = false) =>
  runsAhead({ dueAt, everyMs: everyDays * day, isPaused }, { now, until, freshnessMs: freshDays * day })

test('a month has the runs from the next one on, and none while it is paused', () => {
  expect(ahead(new Date('2026-11-12T12:00:00Z'), 7, 1)).toMatchObject({ count: 3, buysEach: 1 })
  expect(ahead(new Date('2026-12-12T12:00:00Z'), 7, 1)).toMatchObject({ count: 0 })
  expect(ahead(new Date('2026-11-12T12:00:00Z'), 7, 1, true)).toMatchObject({ count: 0 })
})

test('what is overdue begins now, and what runs is due again after its time', () => {
  expect(ahead(new Date('2026-11-01T12:00:00Z'), 30, 30)).toMatchObject({ firstAt: now, count: 1 })
  expect(ahead(null, 7, 1)).toMatchObject({ firstAt: new Date(now.getTime() + 7 * day), count: 2 })
})

test('an answer that stays fresh serves several runs', () => {
  expect(ahead(now, 7, 30).buysEach).toBe(5)
  expect(ahead(now, 30, 30).buysEach).toBe(1)
})
