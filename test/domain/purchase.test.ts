import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { parseSpan } from '../../src/domain/moment.ts'
import { judgePurchase, type Purchase } from '../../src/domain/purchase.ts'

const sentAt = new Date('2026-11-15T05:00:10.700Z')
const call = {
  sentAt,
  listSnapshotId: 7n,
  wasCompleteBefore: true,
  wasCutBefore: false,
  isListCut: false,
  dating: null,
}

const bought = (id: string, dated: string | null, change: Partial<Purchase> = {}): Purchase => {
  const span = parseSpan(dated)
  return {
    remote: { id, key: null },
    dated,
    datedFrom: span?.from ?? null,
    datedTo: span?.to ?? null,
    seen: 'DONE',
    deleted: false,
    listSnapshotId: 8n,
    mayBeOthers: false,
    ...change,
  }
}

test('a purchase that may be another organization’s is neither adopted nor ignored', () => {
  const shared = bought('17', '2026-11-15T05:00:12Z', { mayBeOthers: true })
  const own = bought('18', '2026-11-15T05:00:12Z')
  expect(judgePurchase([shared], call)).toEqual({ is: 'unclear', reason: ['lost_shared'] })
  expect(judgePurchase([{ ...shared, listSnapshotId: 7n }], call)).toEqual({ is: 'none' })
  expect(judgePurchase([shared, own], call)).toMatchObject({ is: 'ours', remote: { id: '18' } })
})

test.each([
  ['a second later', '2026-11-15T05:00:12Z'],
  ['by a clock three minutes slow', '2026-11-15T04:57:10Z'],
  ['in Manaus', '2026-11-15T01:00:12'],
  ['by the day', '2026-11-15'],
  ['by the day, in Brazil', '15/11/2026'],
  ['not at all', null],
])('a purchase that the list shows since the intent is ours, dated %s', (_, dated) => {
  expect(judgePurchase([bought('a', dated)], call)).toMatchObject({ is: 'ours', remote: { id: 'a' } })
})

test('one that a list showed before the intent is not, whatever its date', () => {
  expect(judgePurchase([bought('a', '2026-11-15T05:00:12Z', { listSnapshotId: 7n })], call)).toEqual({ is: 'none' })
})

test('a person decides about one dated long before that a cut list did not show', () => {
  const old = bought('a', '2026-09-15T05:00:12Z')
  const cut = { ...call, wasCompleteBefore: false }
  expect(judgePurchase([old], cut)).toMatchObject({ is: 'unclear' })
  expect(judgePurchase([old], call)).toMatchObject({ is: 'ours' })
  expect(judgePurchase([old, bought('b', '2026-11-15T05:00:12Z')], cut)).toMatchObject({ remote: { id: 'b' } })
})

describe('where lists are cut, before the call and since', () => {
  /** Own purchases are dated three hours back, less what a call takes. */
  const dating = { from: -3 * 3_600_000 - 500, to: -3 * 3_600_000 + 700 }
  const cut = { ...call, wasCompleteBefore: false, wasCutBefore: true, isListCut: true, dating }
  const own = bought('own', '2026-11-15T02:00:10.900Z')
  const colleagues = bought('colleague', '2026-11-15T02:00:08.000Z')

  test('a purchase is ours where its date is as far from the call as ours are from theirs', () => {
    expect(judgePurchase([own], cut)).toMatchObject({ is: 'ours', remote: { id: 'own' }, isCertain: true })
    expect(judgePurchase([colleagues, own], cut)).toMatchObject({ is: 'ours', remote: { id: 'own' } })
  })

  test.each([
    ['dated otherwise', colleagues, cut],
    ['without a date', bought('a', null), cut],
    ['dated by the day', bought('a', '2026-11-15'), cut],
    ['whose like we never bought', own, { ...cut, dating: null }],
  ])('one %s may be somebody else’s, and ours out of sight', (_, purchase, lost) => {
    expect(judgePurchase([purchase], lost)).toMatchObject({ is: 'hidden' })
  })

  test('a complete list shows every purchase: the only one in it is adopted, whoever paid', () => {
    const since = { ...cut, isListCut: false }
    expect(judgePurchase([colleagues], since)).toMatchObject({ is: 'ours', isCertain: false })
  })
})

test('the buyer is certain if a complete earlier list lacks it, or none was read and its date matches the call', () => {
  const since = [bought('a', '2026-11-15T05:00:12Z')]
  expect(judgePurchase(since, call)).toMatchObject({ is: 'ours', isCertain: true })
  expect(judgePurchase(since, { ...call, wasCompleteBefore: false })).toMatchObject({ is: 'ours', isCertain: false })
  const blind = { ...call, listSnapshotId: null, wasCompleteBefore: false }
  expect(judgePurchase(since, blind)).toMatchObject({ isCertain: true })
  expect(judgePurchase([bought('a', '2026-11-15T04:50:00Z')], blind)).toMatchObject({ is: 'ours', isCertain: false })
})

test('without an earlier list, only a date more than a day before excludes a purchase', () => {
  const blind = { ...call, listSnapshotId: null, wasCompleteBefore: false }
  expect(judgePurchase([bought('a', '2026-11-14T05:00:09Z')], blind)).toEqual({ is: 'none' })
  expect(judgePurchase([bought('a', '2026-11-14T05:00:11Z')], blind)).toMatchObject({ is: 'ours' })
  expect(judgePurchase([bought('a', null)], blind)).toMatchObject({ is: 'ours' })
})

test('a person decides about one that was deleted since', () => {
  expect(judgePurchase([bought('a', null, { deleted: true })], call)).toMatchObject({ is: 'unclear' })
})

test('of several the one dated nearest to the call is ours, and one without a date comes last', () => {
  const verdict = judgePurchase(
    [bought('none', null), bought('late', '2026-11-15T06:02:00Z'), bought('near', '2026-11-15T05:00:11Z')],
    call,
  )
  expect(verdict).toMatchObject({ remote: { id: 'near' } })
})

property.prop([
  fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
  fc.constantFrom('UTC', 'America/Sao_Paulo', 'America/Manaus', 'America/Noronha'),
  fc.integer({ min: -3_600_000, max: 3_600_000 }),
  fc.boolean(),
])(
  'whatever zone, clock and grain a registry dates by, what it sold since the intent is ours',
  (sold, zone, off, byDay) => {
    const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    const text = local.format(new Date(sold.getTime() + off))
    const dated = byDay ? text.slice(0, 10) : text.replace(' ', 'T')
    expect(
      judgePurchase([bought('a', dated)], { ...call, sentAt: sold, listSnapshotId: null, wasCompleteBefore: false }),
    ).toMatchObject({ is: 'ours' })
  },
)
