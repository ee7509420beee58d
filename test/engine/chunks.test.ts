import { expect, test } from 'vitest'
import { makeChunks } from '../../src/engine/dispatch.ts'
import type { DueLookup } from '../../src/store/lookups/due-lookups.ts'

const due = (count: number, change: Partial<DueLookup> = {}): DueLookup[] =>
  Array.from({ length: count }, (_, i) => ({
    id: BigInt(i),
    batchId: 1n,
    organizationId: 7n,
    kind: 'analysis',
    state: 'queued',
    workerDeaths: 0,
    isLate: false,
    ...change,
  }))

const sizes = (lookups: DueLookup[]) =>
  makeChunks(lookups, 100, new Set(['9/queued'])).map((chunk) => chunk.lookups.length)

test('a job carries look-ups of one lane and one state', () => {
  const mixed = [
    ...due(30),
    ...due(30, { organizationId: 8n }),
    ...due(30, { state: 'waiting' }),
    ...due(30, { kind: 'cnh' }),
  ]
  expect(sizes(mixed)).toEqual([30, 30, 30, 30])
})

test('look-ups of small files go to a job of their own', () => {
  const mixed = [...due(30), ...due(20, { batchId: 9n }), ...due(30, { batchId: 2n })]
  expect(sizes(mixed)).toEqual([60, 20])
})

test('a job is no longer than its size', () => {
  expect(sizes(due(250))).toEqual([100, 100, 50])
})

test('suspects of a worker’s death return in smaller jobs, finally alone', () => {
  expect(sizes(due(40, { workerDeaths: 1 }))).toEqual([16, 16, 8])
  expect(sizes(due(3, { workerDeaths: 2 }))).toEqual([1, 1, 1])
  expect(sizes(due(3, { workerDeaths: 4 }))).toEqual([1, 1, 1])
})
