import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { fairShares } from '../../src/queue/fair-shares.ts'
import type { DueBatch } from '../../src/store/due-lookups.ts'

const due = (batchId: number, change: Partial<DueBatch> = {}): DueBatch => ({
  batchId: BigInt(batchId),
  organizationId: 7n,
  kind: 'analysis',
  state: 'queued',
  probe: false,
  ...change,
})

const room = (count: number) => () => ({ queue: 'generate-analyses', room: count })

property.prop([fc.integer({ min: 1, max: 50 }), fc.nat(1_000)])(
  'never more than the room, and all of it where it is wanted',
  (batches, count) => {
    const quotas = fairShares(
      Array.from({ length: batches }, (_, i) => due(i)),
      room(count),
    )
    expect(quotas.reduce((sum, { take }) => sum + take, 0)).toBe(count)
    const takes = quotas.map(({ take }) => take)
    if (quotas.length === batches && count >= batches * batches)
      expect(Math.max(...takes) - Math.min(...takes)).toBeLessThanOrEqual(batches)
  },
)

test('a held lane sends one probe', () => {
  expect(fairShares([due(1, { probe: true }), due(2)], room(100)).map(({ take }) => take)).toEqual([1, 50])
})

test('a full queue gets nothing more', () => {
  expect(fairShares([due(1)], room(0))).toEqual([])
})
