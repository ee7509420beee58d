import { expect, test } from 'vitest'
import { keptNights } from '../../src/domain/sweep.ts'

const zone = { timezone: 'America/Sao_Paulo', businessDaysOnly: false }
const night = (day: string, { ended = '05:59', verified = 10, state = 'done' } = {}) => ({
  state,
  due: 10,
  verified,
  startedAt: new Date(`${day}T02:00:00-03:00`),
  finishedAt: new Date(`${day}T${ended}:00-03:00`),
})

test('a night is kept when every radar was verified by six, and one without a sweep is not', () => {
  const now = new Date('2026-11-16T12:00:00-03:00')
  const sweeps = [
    night('2026-11-16'),
    night('2026-11-15', { ended: '06:01' }),
    night('2026-11-14', { verified: 9 }),
    night('2026-11-12', { state: 'failed' }),
    night('2026-11-11', { ended: '06:00' }),
  ]
  expect(keptNights(sweeps, { ...zone, now })).toEqual({ nights: 6, kept: 2 })
  expect(keptNights(sweeps, { ...zone, now, businessDaysOnly: true })).toEqual({ nights: 4, kept: 2 })
  expect(keptNights([], { ...zone, now })).toEqual({ nights: 0, kept: 0 })
})

test('a night counts from six in the morning on, and ninety of them at most', () => {
  const sweeps = Array.from({ length: 120 }, (_, back) =>
    night(new Date(Date.parse('2026-11-16T12:00:00Z') - back * 86_400_000).toISOString().slice(0, 10)),
  )
  const early = new Date('2026-11-16T05:00:00-03:00')
  expect(keptNights(sweeps.slice(0, 3), { ...zone, now: early })).toEqual({ nights: 2, kept: 2 })
  expect(keptNights(sweeps, { ...zone, now: early })).toEqual({ nights: 90, kept: 90 })
})
