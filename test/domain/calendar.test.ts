import { fc, test as property } from '@fast-check/vitest'
import { parse } from 'node-cron'
import { expect, test } from 'vitest'
import { isBusinessDay, lastSlot } from '../../src/domain/calendar.ts'

test.each(['2026-01-02', '2026-02-18', '2026-11-16', '2026-12-24', '2027-02-10'])('%s is worked', (day) => {
  expect(isBusinessDay(day)).toBe(true)
})

test.each([
  ['2026-11-14', 'a Saturday'],
  ['2026-11-15', 'a Sunday'],
  ['2026-11-20', 'Consciência Negra'],
  ['2026-09-07', 'Independence'],
  ['2026-02-16', 'Carnival Monday'],
  ['2026-02-17', 'Carnival Tuesday'],
  ['2026-04-03', 'Good Friday'],
  ['2026-06-04', 'Corpus Christi'],
  ['2027-02-09', 'Carnival Tuesday of another year'],
  ['2024-03-29', 'Good Friday in March'],
])('%s is not worked: %s', (day) => {
  expect(isBusinessDay(day)).toBe(false)
})

const nightly = parse('0 2 * * *')

test.each([
  ['2026-11-15T02:00', '2026-11-15T02:00'],
  ['2026-11-15T01:59', '2026-11-14T02:00'],
  ['2026-11-15T23:59', '2026-11-15T02:00'],
  ['2026-03-01T00:00', '2026-02-28T02:00'],
])('at %s the nightly slot that was last due is %s', (clock, slot) => {
  expect(lastSlot(nightly, clock)).toBe(slot)
})

test('a schedule that names days is due on those alone', () => {
  expect(lastSlot(parse('30 3 1,15 * *'), '2026-11-14T12:00')).toBe('2026-11-01T03:30')
  expect(lastSlot(parse('0 8 * * 7'), '2026-11-18T12:00')).toBe('2026-11-15T08:00')
  expect(lastSlot(parse('0 0 29 2 *'), '2026-11-18T12:00')).toBe('2024-02-29T00:00')
})

test('a day that never comes has no slot', () => {
  const never = { ...nightly, dayOfMonth: [31], month: [2] }
  expect(lastSlot(never, '2026-11-18T12:00')).toBeNull()
})

test('on closed days no slot is due', () => {
  expect(lastSlot(nightly, '2026-11-16T01:00', isBusinessDay)).toBe('2026-11-13T02:00')
})

const minute = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2030-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 16))

property.prop([minute, fc.constantFrom('*/10 * * * *', '0 2 * * *', '15,45 6-8 * * 1-5')])(
  'no slot lies between the one found and now',
  (now, expression) => {
    const fields = parse(expression)
    const slot = lastSlot(fields, now)!
    expect(slot <= now).toBe(true)
    expect(lastSlot(fields, slot)).toBe(slot)
    const next = new Date(Date.parse(`${now}:00Z`) + 60_000).toISOString().slice(0, 16)
    expect([slot, next]).toContain(lastSlot(fields, next))
  },
)
