import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { classifications } from '../../src/domain/classifications.ts'
import { type RiskFigures, riskChanges } from '../../src/domain/risk-change.ts'
import { coverageSentence, suspicionOf } from '../../src/domain/sweep.ts'

const figures = (over: Record<string, [count: number, cents: bigint]> = {}, processes = 0): RiskFigures => ({
  processes,
  counts: classifications.map((key) => over[key]?.[0] ?? 0),
  cents: classifications.map((key) => over[key]?.[1] ?? 0n),
})

test('each figure that moved is a change with its verdict, before and after', () => {
  const before = figures({ RISK_WORKER: [2, 100_00n], RISK_DEBTOR: [1, 5_00n], LITIGATION: [4, 10_00n] }, 3)
  const after = figures({ RISK_WORKER: [3, 250_50n], RISK_CRIMINAL: [1, 0n], LITIGATION: [2, 10_00n] }, 5)

  expect(riskChanges(before, after).map(({ weight, ...change }) => change)).toEqual([
    { field: 'processes', verdict: 'worse', before: '3', after: '5' },
    { field: 'RISK_WORKER_count', verdict: 'worse', before: '2', after: '3' },
    { field: 'RISK_WORKER_value', verdict: 'worse', before: '100.00', after: '250.50' },
    { field: 'RISK_DEBTOR_count', verdict: 'cleared', before: '1', after: '0' },
    { field: 'RISK_DEBTOR_value', verdict: 'cleared', before: '5.00', after: '0.00' },
    { field: 'RISK_CRIMINAL_count', verdict: 'new', before: '0', after: '1' },
    { field: 'LITIGATION_count', verdict: 'better', before: '4', after: '2' },
  ])
})

test('what was not known before, or is not known now, is no change', () => {
  const nothing = { processes: null, counts: null, cents: null }
  expect(riskChanges(nothing, figures({ ALL: [1, 1n] }, 2))).toEqual([])
  expect(riskChanges(figures({ ALL: [1, 1n] }, 2), nothing)).toEqual([])
})

test('new risk weighs more than worse, worse more than better, and a larger sum more than a smaller one', () => {
  const weight = (before: [number, bigint], after: [number, bigint], key = 'RISK_WORKER') =>
    riskChanges(figures({ [key]: before }), figures({ [key]: after })).at(-1)!.weight
  expect(weight([0, 0n], [0, 1n])).toBeGreaterThan(weight([0, 1n], [0, 10n ** 14n]))
  expect(weight([0, 1n], [0, 9n])).toBeGreaterThan(weight([0, 9n], [0, 1n]))
  expect(weight([0, 1n], [0, 99n])).toBeGreaterThan(weight([0, 1n], [0, 9n]))
  expect(weight([0, 1n], [0, 9n])).toBeGreaterThan(weight([0, 1n], [0, 9n], 'IS_ACTIVE_WITHOUT_RISK'))
})

const anyFigures = fc.record({
  processes: fc.option(fc.nat(50)),
  counts: fc.option(fc.array(fc.option(fc.nat(9)), { minLength: 20, maxLength: 20 })),
  cents: fc.option(fc.array(fc.option(fc.bigInt({ min: 0n, max: 10n ** 12n })), { minLength: 20, maxLength: 20 })),
})

property.prop([anyFigures])('the same figures again are no change', (same) => {
  expect(riskChanges(same, structuredClone(same))).toEqual([])
})

property.prop([anyFigures, anyFigures])('what got worse one way got better the other way', (one, other) => {
  const opposite = { new: 'cleared', worse: 'better', better: 'worse', cleared: 'new' }
  const there = riskChanges(one, other).map(({ field, verdict }) => [field, verdict])
  const back = riskChanges(other, one).map(({ field, verdict }) => [field, opposite[verdict]])
  expect(back).toEqual(there)
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
