import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { classifications } from '../../src/domain/classifications.ts'
import { type RiskFigures, riskChanges } from '../../src/domain/risk-change.ts'

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
