import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import {
  batchLimit,
  formatCents,
  formatPrice,
  parseAmount,
  priceOf,
  readCents,
  withinLimit,
} from '../../src/domain/amount.ts'

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

const prices = { analysis: { cents: 190, currency: 'BRL' } }

test('units have a price, and none if the settings give none', () => {
  expect(priceOf(prices, 'analysis', 1_000)).toEqual({ cents: 190_000, currency: 'BRL' })
  expect(priceOf(prices, 'cnh', 3)).toBeNull()
  expect(priceOf(null, 'analysis', 3)).toBeNull()
})

test('an amount is written as each language writes it', () => {
  const price = { cents: 123_450, currency: 'BRL' }
  expect(formatPrice(price, 'en')).toBe('R$1,234.50')
  expect(formatPrice(price, 'pt-BR').replace('\u00a0', ' ')).toBe('R$ 1.234,50')
})

property.prop([fc.integer({ min: 0, max: 99_999_999 })])('an amount is read to the cent', (cents) => {
  const text = (cents / 100).toFixed(2)
  expect(readCents(text)).toBe(cents)
})

test('an amount without cents, or with a tenth, is read too', () => {
  expect(['2', '1.9', '0.05'].map(readCents)).toEqual([200, 190, 5])
})

test('a limit lets through what fits under it, and everything where there is none', () => {
  expect([withinLimit(5, 3), withinLimit(5, 5), withinLimit(5, 9), withinLimit(5, 0), withinLimit(5, null)]).toEqual([
    3, 5, 5, 0, 5,
  ])
})

test('a batch may spend what was asked for, and no more than the settings allow', () => {
  const limits = (perBatch: number | null) => [undefined, null, 0, 3, 9].map((wish) => batchLimit({ perBatch }, wish))
  expect(limits(5)).toEqual([5, 5, 0, 3, 5])
  expect(limits(0)).toEqual([0, 0, 0, 0, 0])
  expect(limits(null)).toEqual([null, null, 0, 3, 9])
})
