import { fc, test as property } from '@fast-check/vitest'
import { isJudicialProcess } from 'validation-br'
import { expect, test } from 'vitest'
import { readProcessNumber } from '../../src/domain/process-number.ts'

test.each([
  ['0058967-77.2016.8.19.0000', '0058967-77.2016.8.19.0000', []],
  ['0000001-78.2020.8.26.0100', '0000001-78.2020.8.26.0100', []],
  ['00589677720168190000', '0058967-77.2016.8.19.0000', ['mask']],
  ['0058967 77 2016 8 19 0000', '0058967-77.2016.8.19.0000', ['mask']],
  [' 0058967-77.2016.8.19.0000\u00a0', '0058967-77.2016.8.19.0000', ['spaces']],
  ["'0058967-77.2016.8.19.0000", '0058967-77.2016.8.19.0000', ['text_marker']],
  ['58967-77.2016.8.19.0000', '0058967-77.2016.8.19.0000', ['zeros']],
  ['589677720168190000', '0058967-77.2016.8.19.0000', ['zeros', 'mask']],
])('reads %j', (cell, number, repairs) => {
  expect(readProcessNumber(cell)).toEqual({ number, repairs })
})

test.each(['2004.61.00.012345-6', '583.00.2007.123456-7', '001.05.123456-0'])(
  'lets the older number %s through with a warning',
  (cell) => {
    expect(readProcessNumber(cell)).toEqual({ number: cell, repairs: [], warning: 'older_numbering' })
  },
)

test('lets a number of a court it does not know through with a warning', () => {
  expect(readProcessNumber(numberOf('0000001', '2020', '8', '99', '0100'))).toMatchObject({ warning: 'unknown_court' })
})

test.each([
  ['', 'empty'],
  ['\u200b ', 'empty'],
  ['processo', 'characters'],
  ['5,89678E+17', 'cut_number'],
  ['5,89678E+13', 'scientific_notation'],
  ['123', 'length'],
  ['0058967-77.2016.8.19.0000, 0000001-78.2020.8.26.0100', 'length'],
  ['0058967-78.2016.8.19.0000', 'check_digit'],
])('refuses %j: %s', (cell, reason) => {
  expect(readProcessNumber(cell)).toMatchObject({ refused: reason })
})

property.prop([
  fc.integer({ min: 0, max: 9_999_999 }),
  fc.integer({ min: 1998, max: 2030 }),
  fc.nat(9_999),
  fc.nat(19),
])('agrees with validation-br, also when one digit is wrong', (sequence, year, origin, position) => {
  const number = numberOf(pad(sequence, 7), String(year), '8', '26', pad(origin, 4))
  expect(isJudicialProcess(number)).toBe(true)
  expect(readProcessNumber(number)).toEqual({ number, repairs: [] })

  const digits = number.replace(/\D/g, '')
  const wrong = digits.slice(0, position) + ((Number(digits[position]) + 1) % 10) + digits.slice(position + 1)
  expect(isJudicialProcess(wrong)).toBe(false)
  expect(readProcessNumber(wrong)).not.toMatchObject({ number: expect.any(String), repairs: [] })
})

const pad = (value: number, length: number) => String(value).padStart(length, '0')

const numberOf = (sequence: string, year: string, segment: string, court: string, origin: string): string => {
  const check = 98n - (BigInt(`${sequence}${year}${segment}${court}${origin}00`) % 97n)
  return `${sequence}-${pad(Number(check), 2)}.${year}.${segment}.${court}.${origin}`
}
