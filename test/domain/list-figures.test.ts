import { expect, test } from 'vitest'
import { countsAll, declaresAll, type ListFigures } from '../../src/domain/judge.ts'

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
  ['its items', {}, true],
  ['its analyses', { total: 9, analyses: 9 }, true],
  ['more', { total: 6 }, false],
  ['nothing, because there is no total', { total: null }, false],
  ['something that could not be read', { unreadable: 1 }, false],
  ['nothing, and there is nothing', { total: 0, items: 0, analyses: 0 }, true],
])('a total counts %s', (_, change, counts) => {
  expect(countsAll(figures(change))).toBe(counts)
})

test.each([
  ['is above its length', { limit: 6 }, true],
  ['is its length', { limit: 5 }, false],
  ['is the number of its purchases', { limit: 9, analyses: 9 }, false],
  ['is zero', { limit: 0 }, false],
  ['is missing', { limit: null }, false],
  ['is zero, as there is nothing', { limit: 0, total: 0, items: 0, analyses: 0 }, true],
])('a list of which the limit %s says whether it shows everything', (_, change, declares) => {
  expect(declaresAll(figures(change))).toBe(declares)
})
