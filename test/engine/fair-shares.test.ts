import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { fairShares, type Turns } from '../../src/engine/dispatch.ts'
import type { DueBatch, Quota } from '../../src/store/lookups/due-lookups.ts'

const due = (batchId: number, change: Partial<DueBatch> = {}): DueBatch => ({
  batchId: BigInt(batchId),
  rows: 1_000,
  organizationId: 7n,
  kind: 'analysis',
  state: 'queued',
  trial: false,
  ...change,
})

const dues = (count: number): DueBatch[] => Array.from({ length: count }, (_, i) => due(i))

const group = (count: number) => () => ({ group: 'generate-analyses', size: count })

const takesOf = (quotas: Quota[]): number[] => quotas.map(({ take }) => take)

property.prop([fc.integer({ min: 1, max: 200 }), fc.nat(1_000)])(
  'all of the capacity is used, and no batch gets two more than another',
  (batches, count) => {
    const takes = takesOf(fairShares(dues(batches), group(count), new Map()))
    expect(takes.reduce((sum, take) => sum + take, 0)).toBe(count)
    const least = takes.length < batches ? 0 : Math.min(...takes)
    expect(Math.max(0, ...takes) - least).toBeLessThanOrEqual(1)
  },
)

test('fifty batches and a capacity of 64: every batch is served', () => {
  expect(fairShares(dues(50), group(64), new Map())).toHaveLength(50)
})

const longestWait = (passes: DueBatch[][], places: number): number => {
  const turns: Turns = new Map()
  const waits = new Map<string, number>()
  let longest = 0
  for (const pass of passes) {
    const served = new Set(fairShares(pass, group(places), turns).map(keyOf))
    for (const key of pass.map(keyOf)) {
      const wait = served.has(key) ? 0 : (waits.get(key) ?? 0) + 1
      waits.set(key, wait)
      longest = Math.max(longest, wait)
    }
  }
  return longest
}

const keyOf = ({ batchId, state }: Pick<DueBatch, 'batchId' | 'state'>): string => `${batchId}/${state}`

property.prop([fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 200 })])(
  'no batch that is due waits longer than one round',
  (batches, places, passes) => {
    const always = Array.from({ length: passes }, () => dues(batches))
    expect(longestWait(always, places)).toBeLessThan(Math.ceil(batches / places))
  },
)

const comingAndGoing = fc.array(fc.array(fc.nat(23), { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 60 })

property.prop([comingAndGoing, fc.integer({ min: 1, max: 30 })])(
  'nor if batches arrive and end between the passes, or a batch has look-ups in two states',
  (passes, places) => {
    const batches = passes.map((ids) =>
      [...new Set(ids)].map((id) => due(id >> 1, { state: id % 2 ? 'queued' : 'sending' })),
    )
    expect(longestWait(batches, places)).toBeLessThan(Math.ceil(24 / places))
  },
)

test('a held lane sends one trial, and takes no capacity from the others', () => {
  const quotas = fairShares([due(1, { trial: true }), due(2)], group(100), new Map())
  expect(takesOf(quotas)).toEqual([1, 100])
})

test('a full queue gets nothing more', () => {
  expect(fairShares([due(1)], group(0), new Map())).toEqual([])
})
