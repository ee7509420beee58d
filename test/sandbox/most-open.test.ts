import { expect, test } from 'vitest'
import type { Exchange } from '../../src/sandbox/ledger.ts'
import { formatPeak, peakOf } from '../chaos/most-open.ts'

const request = (n: number, receivedAt: number, answeredAt: number | null, outcome: Exchange['outcome'] = 'answered') =>
  ({ n, operation: 'consult', receivedAt, answeredAt, outcome, fault: null }) as Exchange

const opened = (requests: Exchange[]): number[] => peakOf(requests).requests.map(({ n }) => n)

test('the peak counts requests that were open at once, not one that ends when another begins', () => {
  const requests = [request(1, 0, 100), request(2, 50, 200), request(3, 100, 300), request(4, 150, null)]
  expect(opened(requests)).toEqual([2, 3, 4])
  expect(formatPeak(peakOf(requests))).toEqual([
    '  request 2, consult: open for 100 ms, answered 50 ms later',
    '  request 3, consult: open for 50 ms, answered 150 ms later',
    '  request 4, consult: open for 0 ms, never ended',
  ])
})

test('an abandoned request may be noticed 50 ms late, and no more', () => {
  expect(opened([request(1, 0, 150, 'abandoned'), request(2, 100, 200)])).toEqual([1])
  expect(opened([request(1, 0, 151, 'abandoned'), request(2, 100, 200)])).toEqual([1, 2])
})

test('an abandoned request has ended when the time-out of its caller has passed, however late it is noticed', () => {
  const late = request(1, 0, 300, 'abandoned')
  expect(peakOf([late, request(2, 99, 400)], 100).requests.map(({ n }) => n)).toEqual([1, 2])
  expect(peakOf([late, request(2, 100, 400)], 100).requests.map(({ n }) => n)).toEqual([1])
  expect(peakOf([request(1, 0, 300), request(2, 100, 400)], 100).requests.map(({ n }) => n)).toEqual([1, 2])
})
