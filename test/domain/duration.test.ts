import { expect, test } from 'vitest'
import { freshSinceOf, parseDuration } from '../../src/domain/duration.ts'

test.each([
  ['250ms', 250],
  ['30s', 30_000],
  ['5m', 300_000],
  ['24h', 86_400_000],
  ['30d', 2_592_000_000],
  ['0s', 0],
])('reads %s as %i milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds)
})

test.each(['', '5', '5 m', '-5m', '1.5h', '5min', '99999999999999999d'])(
  'refuses %j and says how to write it',
  (text) => {
    expect(() => parseDuration(text)).toThrow(/is no duration: write .*"30s"/)
  },
)

test('an answer is fresh for as long as the setting of its kind says, and never without a setting', () => {
  const now = new Date('2026-03-31T12:00:00Z')
  expect(freshSinceOf({ freshness: 86_400_000 }, now)).toEqual(new Date('2026-03-30T12:00:00Z'))
  expect(freshSinceOf({ freshness: 0 }, now)).toEqual(now)
})
