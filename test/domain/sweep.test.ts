import { expect, test } from 'vitest'
import { coverageSentence, keptNights, suspicionOf } from '../../src/domain/sweep.ts'

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

test.each([
  [{ complete: true, listed: 100, mirrored: 100, missing: 20 }, false],
  [{ complete: true, listed: 100, mirrored: 100, missing: 21 }, true],
  [{ complete: true, listed: 0, mirrored: 0, missing: 0 }, false],
  [{ complete: true, listed: 0, mirrored: 1, missing: 1 }, true],
  [{ complete: false, listed: 100, mirrored: 0, missing: 0 }, true],
])('that the list %o is rejected is %s', (size, suspicious) => {
  expect(suspicionOf(size) !== null).toBe(suspicious)
})

test('a sweep reports its coverage in one sentence', () => {
  const unverified = { 'analysis denied': 2, 'processes timed out': 5 }
  expect(coverageSentence({ due: 1247, verified: 1240, changed: 31, unverified })).toBe(
    '1,240 of 1,247 verified, 31 changed, 7 not verified because 5 processes timed out, 2 analysis denied',
  )
  expect(coverageSentence({ due: 3, verified: 3, changed: 0, unverified: {} })).toBe('3 of 3 verified, 0 changed')
})
