import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import {
  countsAll,
  declaresAll,
  judge,
  type List,
  type ListFigures,
  type LostCall,
  type Purchase,
} from '../../src/domain/judge.ts'
import { parseSpan } from '../../src/domain/moment.ts'

const sentAt = new Date('2026-11-15T05:00:10.700Z')
const at = (ms: number): Date => new Date(sentAt.getTime() + ms)
const call: LostCall = {
  sentAt,
  listSnapshotId: 7n,
  wasComplete: true,
  isRefused: false,
  endedAt: at(40_000),
  listedAt: at(70_000),
}
const complete: List = {
  beganAt: call.listedAt,
  lacks: false,
  complete: true,
  oldestAt: at(-90_000),
  youngestAt: at(50_000),
  requiredAt: at(50_000),
  awaitedAt: null,
  shows: null,
  inOrder: false,
  growsAt: null,
  isHeld: false,
  deniesSome: false,
}
const undeclared: List = { ...complete, complete: false }
const absent = { is: 'absent', until: null }
const unproven = { is: 'wait', reason: ['lost_unproven'], until: null }

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

describe('a purchase of the document', () => {
  test.each([
    ['a second later', '2026-11-15T05:00:12Z'],
    ['by a clock three minutes slow', '2026-11-15T04:57:10Z'],
    ['in Manaus', '2026-11-15T01:00:12'],
    ['by the day', '2026-11-15'],
    ['by the day, in Brazil', '15/11/2026'],
    ['not at all', null],
  ])('that was not listed before the call is ours, dated %s', (_, dated) => {
    for (const list of [complete, undeclared, { ...undeclared, lacks: true }])
      expect(judge([bought('a', dated)], call, list)).toMatchObject({ is: 'ours', remote: { id: 'a' } })
  })

  test('that was listed before the call is not, whatever its date', () => {
    expect(judge([bought('a', '2026-11-15T05:00:12Z', { listSnapshotId: 7n })], call, complete)).toEqual(absent)
  })

  test('that may be another organization’s is neither adopted nor ignored', () => {
    const shared = bought('17', '2026-11-15T05:00:12Z', { mayBeOthers: true })
    expect(judge([shared], call, complete)).toEqual({ is: 'park', reason: ['lost_shared'] })
    expect(judge([{ ...shared, listSnapshotId: 7n }], call, complete)).toEqual(absent)
    expect(judge([shared, bought('18', null)], call, complete)).toMatchObject({ is: 'ours', remote: { id: '18' } })
  })

  test('that was deleted since is left to a person', () => {
    expect(judge([bought('a', null, { deleted: true })], call, complete)).toEqual({
      is: 'park',
      reason: ['lost_deleted'],
    })
  })

  test('that is dated long before the call is ours only if a complete list did not show it', () => {
    const old = bought('a', '2026-09-15T05:00:12Z')
    const since = { ...call, wasComplete: false }
    expect(judge([old], call, complete)).toMatchObject({ is: 'ours' })
    expect(judge([old], since, complete)).toEqual({ is: 'park', reason: ['lost_older'] })
    expect(judge([old, bought('b', '2026-11-15T05:00:12Z')], since, complete)).toMatchObject({ remote: { id: 'b' } })
  })

  test('is certainly ours if a complete list did not show it, or if none was read and its date matches', () => {
    const since = [bought('a', '2026-11-15T05:00:12Z')]
    expect(judge(since, call, complete)).toMatchObject({ is: 'ours', isCertain: true })
    expect(judge(since, { ...call, wasComplete: false }, complete)).toMatchObject({ is: 'ours', isCertain: false })
    const first = { ...call, listSnapshotId: null, wasComplete: false }
    expect(judge(since, first, complete)).toMatchObject({ isCertain: true })
    expect(judge([bought('a', '2026-11-15T04:50:00Z')], first, complete)).toMatchObject({ isCertain: false })
  })

  test('is excluded by its date only if no list was read before the call, and then by more than a day', () => {
    const first = { ...call, listSnapshotId: null, wasComplete: false }
    expect(judge([bought('a', '2026-11-14T05:00:09Z')], first, complete)).toEqual(absent)
    expect(judge([bought('a', '2026-11-14T05:00:11Z')], first, complete)).toMatchObject({ is: 'ours' })
    expect(judge([bought('a', null)], first, complete)).toMatchObject({ is: 'ours' })
  })

  test('is the one dated nearest to the call, where there are several', () => {
    const purchases = [
      bought('none', null),
      bought('late', '2026-11-15T06:02:00Z'),
      bought('near', '2026-11-15T05:00:11Z'),
    ]
    expect(judge(purchases, call, complete)).toMatchObject({ remote: { id: 'near' } })
  })
})

describe('a list without the purchase', () => {
  test('proves nothing before it had time to show it', () => {
    const early = { beganAt: at(69_999) }
    expect(judge([], call, { ...complete, ...early })).toEqual({ is: 'absent', until: call.listedAt })
    expect(judge([], call, { ...undeclared, ...early, youngestAt: null })).toEqual({
      ...unproven,
      until: call.listedAt,
    })
  })

  test('that is complete proves that there is none', () => {
    expect(judge([], call, complete)).toEqual(absent)
    expect(judge([], call, { ...complete, oldestAt: null, youngestAt: null, requiredAt: null })).toEqual(absent)
  })

  test('that does not say whether it is complete proves it by purchases of ours from before and after the call', () => {
    expect(judge([], call, undeclared)).toEqual(absent)
    const lists: Partial<List>[] = [
      { oldestAt: at(-39_999) },
      { youngestAt: at(40_000) },
      { awaitedAt: at(-200_000) },
      { oldestAt: null, youngestAt: null },
      { lacks: true },
    ]
    for (const list of lists)
      expect(judge([], call, { ...undeclared, ...list }), JSON.stringify(list)).toEqual(unproven)
  })

  test('that shows the newest, as a person stated, needs one of ours from before the call', () => {
    const newest: List = { ...undeclared, shows: 'newest', youngestAt: at(-90_000) }
    expect(judge([], call, newest)).toEqual(absent)
    expect(judge([], call, { ...newest, shows: null })).toEqual(unproven)
    expect(judge([], call, { ...newest, oldestAt: at(1), youngestAt: at(50_000) })).toEqual(unproven)
  })

  test('that shows purchases in the order in which they were made, as a person stated, proves it while later ones are awaited', () => {
    const ordered: List = { ...undeclared, inOrder: true, awaitedAt: at(60_000) }
    expect(judge([], call, ordered)).toEqual(absent)
    expect(judge([], call, { ...ordered, inOrder: false })).toEqual(unproven)
    expect(judge([], call, { ...ordered, youngestAt: at(40_000) })).toEqual(unproven)
    expect(judge([], call, { ...ordered, youngestAt: at(40_000), shows: 'newest' })).toEqual(unproven)
    expect(judge([], call, { ...ordered, oldestAt: at(-39_999) })).toEqual(unproven)
  })

  test('is awaited while more is about to be bought, unless it lacks a purchase of ours', () => {
    const growsAt = at(100_000)
    const growing = { ...undeclared, youngestAt: null, growsAt }
    expect(judge([], call, growing)).toEqual({ ...unproven, until: growsAt })
    expect(judge([], call, { ...growing, lacks: true })).toEqual(unproven)
  })

  const unverified: List = { ...complete, youngestAt: at(-1), requiredAt: at(-1) }

  test('that is complete waits for a later purchase to verify it, unless a hold prevents all purchases', () => {
    const growsAt = at(100_000)
    expect(judge([], call, { ...unverified, growsAt })).toEqual({ is: 'absent', until: growsAt })
    expect(judge([], call, { ...unverified, growsAt, youngestAt: at(40_000), requiredAt: at(40_000) })).toEqual({
      is: 'absent',
      until: growsAt,
    })
    expect(judge([], call, { ...unverified, growsAt, isHeld: true })).toEqual(absent)
    expect(judge([], call, unverified)).toEqual(absent)
  })

  test('that is complete decides once it must show the first later purchase that is known', () => {
    for (const later of [{ awaitedAt: at(45_000) }, { youngestAt: at(45_000), awaitedAt: at(60_000) }]) {
      const list: List = { ...unverified, ...later, isHeld: true }
      expect(judge([], call, list)).toEqual({ is: 'absent', until: at(115_001) })
      expect(judge([], call, { ...list, beganAt: at(115_001) })).toEqual(absent)
      expect(judge([], call, { ...list, requiredAt: at(40_001) })).toEqual(absent)
    }
    const shown: List = { ...unverified, youngestAt: at(45_000) }
    expect(judge([], call, { ...shown, inOrder: true })).toEqual(absent)
    expect(judge([], call, { ...shown, inOrder: true, youngestAt: at(40_000), awaitedAt: at(45_000) })).toEqual({
      is: 'absent',
      until: at(115_001),
    })
  })

  test('that is complete waits until it must show what was bought while the call could be under way', () => {
    const awaiting: List = { ...unverified, awaitedAt: at(1_000) }
    expect(judge([], call, awaiting)).toEqual({ is: 'absent', until: at(71_001) })
    expect(judge([], call, { ...awaiting, beganAt: at(71_001) })).toEqual(absent)
  })

  test('proves nothing where the registry denies what it has accepted', () => {
    expect(judge([], call, { ...complete, deniesSome: true })).toMatchObject({ is: 'wait', reason: ['lost_denied'] })
  })
})

test('a refusal stands by a list that shows a later purchase, but by none that lacks or may still lack one', () => {
  const refused: LostCall = { ...call, isRefused: true, endedAt: at(1_000), listedAt: at(31_000) }
  const page: List = { ...undeclared, oldestAt: at(45_000) }
  expect(judge([], refused, page)).toEqual(absent)
  expect(judge([], call, page)).toEqual(unproven)
  expect(judge([], refused, { ...page, lacks: true })).toEqual(unproven)
  expect(judge([], refused, { ...page, awaitedAt: at(45_000) })).toEqual(unproven)
  expect(judge([], refused, { ...complete, growsAt: at(100_000), youngestAt: null })).toEqual(absent)
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
    const first = { ...call, sentAt: sold, listSnapshotId: null, wasComplete: false }
    expect(judge([bought('a', dated)], first, complete)).toMatchObject({ is: 'ours' })
  },
)

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
