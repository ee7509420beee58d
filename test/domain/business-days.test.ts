import { expect, test } from 'vitest'
import { isBusinessDay } from '../../src/domain/calendar.ts'

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
