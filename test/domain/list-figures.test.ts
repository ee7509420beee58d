import { expect, test } from 'vitest'
import { isComplete, isPageSized, type ListFigures } from '../../src/domain/list-figures.ts'

const figures = (change: Partial<ListFigures>): ListFigures => ({
  total: 5,
  limit: null,
  items: 5,
  analyses: 5,
  unreadable: 0,
  isBare: false,
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
])('a list of which %s', (_, change, complete) => {
  expect(isComplete(figures(change), [])).toBe(complete)
})

const list = (items: number, limit: number, analyses = items) => ({ items, limit, analyses })

test('a limit that always repeats the length says nothing', () => {
  const earlier = [list(0, 0), list(3, 3)]
  expect(isComplete(figures({ limit: 5 }), earlier)).toBe(true)
  expect(isComplete(figures({ limit: 5 }), [list(5, 5)])).toBe(false)
  expect(isComplete(figures({ limit: 4 }), earlier)).toBe(false)
})

test('a limit that once was not the length is one, and a full page of it may be cut', () => {
  expect(isComplete(figures({ limit: 5 }), [list(0, 5), list(3, 3)])).toBe(false)
})

test.each([
  [10, 10, null, true],
  [10, 10, 0, true],
  [10, 10, 10, true],
  [10_000, 10_000, null, true],
  [10, 10, 50, false],
  [11, 11, null, false],
  [0, 0, null, false],
  [9, 10, null, true],
  [10, 11, null, true],
  [9, 11, null, false],
  [9, 10, 9, true],
  [9, 10, 10, true],
  [11, 13, 13, true],
  [9, 12, 11, false],
  [9, 11, 12, false],
])('a list of %i items with %i purchases and the limit %s may be a page: %s', (items, analyses, limit, may) => {
  expect(isPageSized(figures({ total: items, items, analyses, limit }), [])).toBe(may)
})

test('a limit that always repeats the number of purchases names none', () => {
  const earlier = [list(1, 1), list(5, 7, 7)]
  expect(isPageSized(figures({ items: 11, analyses: 13, limit: 13 }), earlier)).toBe(false)
  expect(isPageSized(figures({ items: 11, analyses: 12, limit: 12 }), earlier)).toBe(true)
  expect(isPageSized(figures({ items: 11, analyses: 13, limit: 13 }), [...earlier, list(5, 13, 7)])).toBe(true)
})
