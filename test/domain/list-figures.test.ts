import { expect, test } from 'vitest'
import { isPageSized, isWhole, type ListFigures } from '../../src/domain/list-figures.ts'

const figures = (change: Partial<ListFigures>): ListFigures => ({
  total: 5,
  limit: null,
  items: 5,
  analyses: 5,
  unreadable: 0,
  ...change,
})

test.each([
  ['its total counts its items', {}, true],
  ['its total counts its analyses', { total: 9, analyses: 9 }, true],
  ['its total counts more', { total: 6 }, false],
  ['it has no total', { total: null }, false],
  ['something in it could not be read', { unreadable: 1 }, false],
  ['its limit is far away', { limit: 100 }, true],
  ['its limit is nothing', { limit: 0 }, true],
  ['it is as long as its limit', { limit: 5 }, false],
  ['there is one item, and no limit', { total: 1, items: 1, analyses: 1 }, false],
  ['there is one item, and a limit of nothing', { total: 1, items: 1, analyses: 1, limit: 0 }, false],
  ['there is one item, far from its limit', { total: 1, items: 1, analyses: 1, limit: 10 }, true],
  ['there is nothing', { total: 0, items: 0, analyses: 0 }, true],
])('a list of which %s', (_, change, whole) => {
  expect(isWhole(figures(change), [])).toBe(whole)
})

test('a limit that always repeats the length says nothing', () => {
  const earlier = [
    { items: 0, limit: 0 },
    { items: 3, limit: 3 },
  ]
  expect(isWhole(figures({ limit: 5 }), earlier)).toBe(true)
  expect(isWhole(figures({ limit: 5 }), [{ items: 5, limit: 5 }])).toBe(false)
})

test('a limit that once was not the length is one, and a full page of it may be cut', () => {
  expect(
    isWhole(figures({ limit: 5 }), [
      { items: 0, limit: 5 },
      { items: 3, limit: 3 },
    ]),
  ).toBe(false)
})

test.each([
  [10, null, true],
  [10, 0, true],
  [10, 10, true],
  [10_000, null, true],
  [10, 50, false],
  [11, null, false],
  [0, null, false],
])('a list of %i items with the limit %s may be a page of its own length: %s', (items, limit, may) => {
  expect(isPageSized(figures({ total: items, items, analyses: items, limit }))).toBe(may)
})
