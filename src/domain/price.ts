import type { Kind } from './kind.ts'

/** Money as integer cents; never a fraction. */
export type Price = { cents: number; currency: string }

/** What one paid call costs, by kind; a kind that is not there has no price that we know. */
export type UnitPrices = Partial<Record<Kind, Price>>

/** What so many units come to; null where nobody said what one costs. */
export const priceOf = (prices: UnitPrices | null, kind: Kind, units: number): Price | null => {
  const price = prices?.[kind]
  return price ? { cents: price.cents * units, currency: price.currency } : null
}

/** `R$ 1.234,50` or `R$1,234.50`, as the language writes it. */
export const formatPrice = ({ cents, currency }: Price, language: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency }).format(cents / 100)

/** Reads `1.90` as 190 cents. */
export const readCents = (amount: string): number => {
  const [whole, decimals = ''] = amount.split('.')
  return Number(`${whole}${decimals.padEnd(2, '0')}`)
}
