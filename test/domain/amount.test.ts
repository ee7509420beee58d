import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { formatCents, parseAmount } from '../../src/domain/amount.ts'

test.each([
  ['1.234.567,80', 123_456_780n],
  ['1,234,567.80', 123_456_780n],
  ['1234567.80', 123_456_780n],
  ['1234567,8', 123_456_780n],
  ['R$ 1.234,5', 123_450n],
  ['R$\u00a01.234,50', 123_450n],
  ['-R$ 3,00', -300n],
  ['R$ -3', -300n],
  ['1.234', 123_400n],
  ['0.125', 13n],
  ['1.2345678E7', 1_234_567_800n],
  ['1.234E7', 1_234_000_000n],
  ['0', 0n],
  [1234.5, 123_450n],
  [1.234, 123n],
  [0.1 + 0.2, 30n],
])('reads %j as cents', (text, cents) => {
  expect(parseAmount(text)).toBe(cents)
})

test.each([
  '',
  'abc',
  '1.23.4',
  '1,2,3',
  '1,2E7',
  '12 reais',
  '1.5E99',
  '123456789012345678901.00',
  null,
  undefined,
  Number.NaN,
])('does not guess at %j', (text) => {
  expect(parseAmount(text)).toBeNull()
})

property.prop([fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.constantFrom(',' as const, '.' as const)])(
  'reads back every amount it writes, with either decimal sign',
  (cents, decimal) => {
    expect(parseAmount(formatCents(cents, decimal))).toBe(cents)
  },
)
