import { expect, test } from 'vitest'
import { freshSinceOf } from '../../src/domain/fresh-since.ts'

test('an answer is fresh for as long as the terms of its kind say, and never where they say nothing', () => {
  const now = new Date('2026-03-31T12:00:00Z')
  expect(freshSinceOf({ freshness: 86_400_000 }, now)).toEqual(new Date('2026-03-30T12:00:00Z'))
  expect(freshSinceOf({ freshness: 0 }, now)).toEqual(now)
})
