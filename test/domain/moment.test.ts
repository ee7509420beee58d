import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { parseMoment, parseSpan, provesDayFirst } from '../../src/domain/moment.ts'

test.each([
  [1_700_000_000_000, '2023-11-14T22:13:20.000Z'],
  ['1700000000000', '2023-11-14T22:13:20.000Z'],
  [1_700_000_000, '2023-11-14T22:13:20.000Z'],
  ['1700000000', '2023-11-14T22:13:20.000Z'],
  ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z'],
  ['2024-01-02T03:04:05.123456-03:00', '2024-01-02T06:04:05.123Z'],
  ['2024-01-02T03:04:05+0530', '2024-01-01T21:34:05.000Z'],
  ['2024-01-02T03:04:05', '2024-01-02T06:04:05.000Z'],
  ['2024-01-02 03:04:05.5', '2024-01-02T06:04:05.500Z'],
  ['2024-01-02', '2024-01-02T03:00:00.000Z'],
  ['02/01/2024 03:04:05', '2024-01-02T06:04:05.000Z'],
  ['02/01/2024', '2024-01-02T03:00:00.000Z'],
])('reads %j as %s', (value, expected) => {
  expect(parseMoment(value)?.toISOString()).toBe(expected)
})

test('knows the summer time that São Paulo had until 2019', () => {
  expect(parseMoment('25/12/2018 10:00:00')?.toISOString()).toBe('2018-12-25T12:00:00.000Z')
  expect(parseMoment('25/06/2018 10:00:00')?.toISOString()).toBe('2018-06-25T13:00:00.000Z')
})

test.each(['', 'x', '31/02/2024 00:00:00', '2024-13-01', '2024-01-01T25:00:00', null, undefined, {}, Number.NaN, '12'])(
  'takes %j for no moment',
  (value) => {
    expect(parseMoment(value)).toBeNull()
  },
)

test.each([
  0,
  '31/12/1969 21:00:00',
  1_763_200_000_000_000,
  '1763200000000000',
  '01/01/0000 00:00:00',
  '9999-12-31T00:00:00Z',
  0 - 4e12,
])('takes %j, which lies outside of 2000 to 2200, for no moment', (value) => {
  expect(parseMoment(value)).toBeNull()
})

property.prop([fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })])(
  'gives back every moment written as ISO or epoch',
  (date) => {
    expect(parseMoment(date.toISOString())).toEqual(date)
    expect(parseMoment(date.getTime())).toEqual(date)
  },
)

test('a date that may put the month first means either, until the day is known to come first', () => {
  const days = (span: ReturnType<typeof parseSpan>) =>
    [span!.from, span!.to].map((day) => day.toISOString().slice(0, 10))
  expect(days(parseSpan('11/03/2026 12:00:00'))).toEqual(['2026-03-11', '2026-11-03'])
  expect(days(parseSpan('11/03/2026 12:00:00', { isDayFirst: true }))).toEqual(['2026-03-11', '2026-03-11'])
  expect(days(parseSpan('11/18/2026 12:00:00'))).toEqual(['2026-11-18', '2026-11-18'])
  expect(days(parseSpan('18/11/2026 12:00:00'))).toEqual(['2026-11-18', '2026-11-18'])
  expect(['18/11/2026', '11/18/2026', '11/03/2026', null].map(provesDayFirst)).toEqual([true, false, false, false])
})
