import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fullAddress, shortenAddress } from '../../src/domain/outcome.ts'

test('an address that was shortened beside another one is read back as it was', () => {
  const part = fc.string({ unit: 'grapheme', maxLength: 30 })
  fc.assert(
    fc.property(part, part, part, fc.boolean(), (start, one, other, alone) => {
      const beside = alone ? null : start + other
      expect(fullAddress(shortenAddress(start + one, beside), beside)).toBe(start + one)
    }),
  )
})

test('what two addresses share is stored once', () => {
  expect(shortenAddress('https://files/9.xlsx?signed=1', 'https://files/9.xlsx?signed=1&full=1')).toBe('29:')
})
