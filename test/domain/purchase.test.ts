import { expect, test } from 'vitest'
import { judgePurchase, type Purchase } from '../../src/domain/purchase.ts'

const sentAt = new Date('2026-11-15T05:00:10.700Z')
const bought = (id: string, createdAt: string | null): Purchase => ({
  remote: { id, key: null },
  createdAt: createdAt ? new Date(createdAt) : null,
  seen: 'DONE',
})

test('a purchase made since the intent is ours', () => {
  const verdict = judgePurchase([bought('a', '2026-11-15T05:00:12Z')], sentAt)
  expect(verdict).toMatchObject({ is: 'ours', remote: { id: 'a' } })
})

test('the second of the intent itself counts as since, for the registry dates by the second', () => {
  expect(judgePurchase([bought('a', '2026-11-15T05:00:10Z')], sentAt)).toMatchObject({ is: 'ours' })
})

test('an older purchase is never adopted, and does not stand in the way of sending again', () => {
  expect(judgePurchase([bought('a', '2026-11-15T04:00:00Z')], sentAt)).toEqual({ is: 'none' })
})

test('a purchase dated shortly before the intent, or not at all, is for a person to judge', () => {
  expect(judgePurchase([bought('a', '2026-11-15T04:59:50Z')], sentAt)).toMatchObject({ is: 'unclear' })
  expect(judgePurchase([bought('a', null)], sentAt)).toMatchObject({ is: 'unclear' })
})

test('of several purchases since the intent the first is ours', () => {
  const verdict = judgePurchase(
    [bought('late', '2026-11-15T05:02:00Z'), bought('first', '2026-11-15T05:00:11Z')],
    sentAt,
  )
  expect(verdict).toMatchObject({ remote: { id: 'first' } })
})
