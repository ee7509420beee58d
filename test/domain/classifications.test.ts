import { expect, test } from 'vitest'
import {
  type Classification,
  classifications,
  notSearched,
  withoutUnsearched,
} from '../../src/domain/classifications.ts'
import { exposureOf } from '../../src/domain/exposure.ts'

const zeros = classifications.map(() => 0)
const place = classifications.indexOf('RISK_PROTEST')

test('a search without a status counts as made, and any other status than DONE does not', () => {
  expect(notSearched({ protestStatus: null, debtorStatus: 'DONE' })).toEqual([])
  expect(notSearched({ protestStatus: 'done', debtorStatus: 'INITIAL' })).toEqual(['RISK_PROTEST', 'RISK_DEBTOR'])
})

test('only the zeros of what was not searched are no figures', () => {
  const statuses = { protestStatus: 'INITIAL', debtorStatus: null }
  expect(withoutUnsearched(zeros, statuses)).toEqual(zeros.with(place, null as never))
  expect(withoutUnsearched(zeros.with(place, 3), statuses)).toEqual(zeros.with(place, 3))
  expect(withoutUnsearched(zeros, { protestStatus: 'DONE', debtorStatus: 'DONE' })).toEqual(zeros)
})

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
