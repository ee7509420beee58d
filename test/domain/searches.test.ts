import { expect, test } from 'vitest'
import { classifications, notSearched, withoutUnsearched } from '../../src/domain/classifications.ts'

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
