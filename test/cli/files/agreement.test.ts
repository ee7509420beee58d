import { expect, test } from 'vitest'
import { type Agreement, agreedUnits, isAgreed } from '../../../src/cli/files/quote-files.ts'

const quoted = (toBePaid: number, more: Partial<Agreement['quote']> = {}): Agreement['quote'] => ({
  toBePaid,
  limit: null,
  freed: 0,
  repeats: null,
  ...more,
})
const agreement = (more: Partial<Agreement>): Agreement => ({
  approval: 'quoted',
  quote: quoted(5),
  hasLimit: false,
  confirmAbove: null,
  ...more,
})
const spend = (expected: number, charged: number, limit: number | null = null) => ({
  charged,
  open: 0,
  limit,
  expected,
  elsewhere: 0,
})

test('a yes approves the figure in the question, once', () => {
  expect(isAgreed(agreement({}), spend(5, 0))).toBe(true)
  expect(isAgreed(agreement({}), spend(6, 0))).toBe(false)
  // Five were spent, and five more were added: the rest equals the approved figure, but is not approved.
  expect(isAgreed(agreement({}), spend(10, 5))).toBe(false)
  expect(isAgreed(agreement({}), spend(10, 5, 5))).toBe(true)
})

test('a yes for a file that ran before approves what is to come, not what it has spent', () => {
  const again = agreement({ quote: quoted(3, { repeats: { unconfirmed: true, spent: 4 } }) })
  expect(isAgreed(again, spend(7, 4))).toBe(true)
  expect(isAgreed(again, spend(8, 4))).toBe(false)
})

test('a yes does not approve a file that was quoted as free', () => {
  expect(isAgreed(agreement({ quote: quoted(0) }), spend(1, 0))).toBe(false)
  const runs = agreement({ quote: quoted(5, { repeats: { unconfirmed: false, spent: 0 } }) })
  expect(isAgreed(runs, spend(5, 0))).toBe(false)
  expect(agreedUnits(runs)).toBe(0)
})

test('--yes approves everything, and what is spent already needs no approval', () => {
  expect(agreedUnits(agreement({ approval: 'all' }))).toBe(null)
  expect(isAgreed(agreement({ approval: 'all' }), spend(1_000, 0))).toBe(true)
  expect(isAgreed(agreement({ approval: 'none' }), spend(3, 3))).toBe(true)
})

test('a limit on the command line is an approval up to budget.confirmAbove', () => {
  const limited = agreement({ approval: 'none', hasLimit: true, confirmAbove: 3 })
  expect(agreedUnits(limited)).toBe(3)
  expect(isAgreed(limited, spend(9, 0, 3))).toBe(true)
  expect(isAgreed(limited, spend(9, 0, 4))).toBe(false)
  expect(isAgreed({ ...limited, confirmAbove: null }, spend(9, 0, 4))).toBe(true)
  expect(isAgreed({ ...limited, hasLimit: false }, spend(9, 0, 3))).toBe(false)
})

test('without a limit the batch waits above what was quoted, or what the settings allow', () => {
  expect(agreedUnits(agreement({}))).toBe(5)
  expect(agreedUnits(agreement({ confirmAbove: 8 }))).toBe(8)
  expect(agreedUnits(agreement({ quote: quoted(5, { limit: 2 }) }))).toBe(2)
})
