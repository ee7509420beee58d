import { expect, test } from 'vitest'
import { emptyMemory, judgeChange, type Rule, recallSnooze, type Seen } from '../../src/domain/rule.ts'

const night = (day: number, minute = 0) => new Date(Date.UTC(2026, 10, 1 + day, 5, minute))
const day = 86_400_000

const value = (before: string, after: string, field = 'RISK_WORKER_value'): Seen => ({
  organizationId: 1n,
  document: '12345678909',
  field,
  verdict: 'worse',
  before,
  after,
})

const rule = (over: Record<string, unknown>): Rule =>
  ({ name: 'rule', severity: 'warning', quietMs: 0, classes: ['RISK_WORKER'], ...over }) as unknown as Rule

const meets = (one: Rule, change: Seen) => judgeChange([one], change, night(0), emptyMemory()).length > 0

test('a value has to grow by more than the amount, in its own class', () => {
  const grows = rule({ when: 'value_grows', moreThanCents: 50_000_00 })
  expect(meets(grows, value('10.00', '50010.01'))).toBe(true)
  expect(meets(grows, value('10.00', '50010.00'))).toBe(false)
  expect(meets(grows, value('90000.00', '10.00'))).toBe(false)
  expect(meets(grows, value('0.00', '90000.00', 'RISK_DEBTOR_value'))).toBe(false)
  expect(meets(grows, value('0', '90000', 'RISK_WORKER_count'))).toBe(false)
})

test('a count grows by the threshold, or appears where there was none', () => {
  const grows = rule({ when: 'count_grows', by: 2, classes: ['RISK_WORKER', 'processes'] })
  const appears = rule({ when: 'appears' })
  expect(meets(grows, value('1', '3', 'RISK_WORKER_count'))).toBe(true)
  expect(meets(grows, value('1', '2', 'RISK_WORKER_count'))).toBe(false)
  expect(meets(grows, value('1', '3', 'processes'))).toBe(true)
  expect(meets(appears, value('0', '1', 'RISK_WORKER_count'))).toBe(true)
  expect(meets(appears, value('1', '9', 'RISK_WORKER_count'))).toBe(false)
})

test('a radar that is removed meets the rule about that, one that is renamed does not', () => {
  const removed = rule({ when: 'radar_removed' })
  const change = { ...value('', ''), field: 'radar', before: null, after: null }
  expect(meets(removed, { ...change, verdict: 'removed' })).toBe(true)
  expect(meets(removed, { ...change, verdict: 'deactivated' })).toBe(false)
})

test('after an alert a rule is quiet for its days, unless the figure gets worse than what was reported', () => {
  const grows = rule({ when: 'value_grows', moreThanCents: 1_00, quietMs: 7 * day })
  const memory = emptyMemory()
  const shown = (change: Seen, at: Date) => judgeChange([grows], change, at, memory)[0]?.notified

  expect(shown(value('0.00', '100.00'), night(0))).toBe(true)
  expect(shown(value('0.00', '90.00'), night(2))).toBe(false)
  expect(shown(value('90.00', '100.01'), night(3))).toBe(true)
  expect(shown(value('0.00', '100.00'), night(9))).toBe(false)
  // The same hour a week later, begun a little early.
  expect(shown(value('0.00', '100.00'), new Date(night(10).getTime() - 60_000))).toBe(true)
  expect(shown({ ...value('0.00', '100.00'), document: '11144477735' }, night(10))).toBe(true)
})

test('a snooze keeps a figure quiet until its end, up to the level it had', () => {
  const grows = rule({ when: 'value_grows', moreThanCents: 1_00 })
  const memory = emptyMemory()
  recallSnooze(memory, { ...value('0.00', '100.00'), at: night(0, 30), until: night(5) })
  const shown = (after: string, at: Date) => judgeChange([grows], value('0.00', after), at, memory)[0]?.notified

  expect(shown('100.00', night(0))).toBe(true)
  expect(shown('100.00', night(1))).toBe(false)
  expect(shown('100.01', night(1))).toBe(true)
  expect(shown('100.00', night(5))).toBe(true)
})
