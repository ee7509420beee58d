import { expect, test } from 'vitest'
import { freshSinceOf } from '../../src/domain/duration.ts'

test('an answer is fresh for as long as the setting of its kind says, and never without a setting', () => {
  const now = new Date('2026-03-31T12:00:00Z')
  expect(freshSinceOf({ freshness: 86_400_000 }, now)).toEqual(new Date('2026-03-30T12:00:00Z'))
  expect(freshSinceOf({ freshness: 0 }, now)).toEqual(now)
})
