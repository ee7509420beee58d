import { expect, test } from 'vitest'
import { type Classification, classifications } from '../../src/domain/classifications.ts'
import { exposureOf } from '../../src/domain/exposure.ts'

type Given = Partial<Record<Classification, [count: number | null, cents: bigint | null]>>

const figures = (given: Given) => ({
  counts: classifications.map((key) => (given[key] ? given[key][0] : 0)),
  cents: classifications.map((key) => (given[key] ? given[key][1] : 0n)),
})

test('overlapping risk classes are not added up: the largest counts', () => {
  const given: Given = { ISDEFENDANT_WITH_RISK: [3, 900n], IS_ACTIVE_WITH_RISK: [2, 1_000n], ALL: [7, 5_000n] }
  expect(exposureOf(figures(given))).toEqual({ level: 'risk', lawsuits: 3, protests: 0, cents: 1_000n })
})

test('a protest is a risk, but not a lawsuit', () => {
  expect(exposureOf(figures({ RISK_PROTEST: [2, 40n] }))).toEqual({
    level: 'risk',
    lawsuits: 0,
    protests: 2,
    cents: 40n,
  })
})

test('a document is clear only if every figure of risk and the number of lawsuits were sent', () => {
  expect(exposureOf(figures({})).level).toBe('clear')
  expect(exposureOf(figures({ ALL: [4, 0n] }))).toMatchObject({ level: 'lawsuits', lawsuits: 4 })
  for (const key of ['ALL', 'RISK_PROTEST'] as const)
    expect(exposureOf(figures({ [key]: [null, null] })).level).toBeNull()
  expect(exposureOf({ counts: null, cents: null }).level).toBeNull()
})
