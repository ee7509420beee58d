import type { Kind } from './kind.ts'

/**
 * Reads an amount of money as integer cents; null where it cannot be read with certainty.
 *
 * The registry sends amounts as text of unknown form (Interface 2.5), so the shapes of both worlds are read:
 * `1.234.567,80`, `1,234,567.80`, `1234567.80`, `R$ 1.234,5`, and `1.2345678E7` as Java writes a large number.
 */
export const parseAmount = (text: string | number | null | undefined): bigint | null => {
  if (text === null || text === undefined) return null
  const usual = typeof text === 'string' && commonest.exec(text)
  if (usual) return BigInt(`${usual[1]}${usual[2]}`)
  const found = shape.exec(String(text).replace(/[\s\u00a0]/g, ''))
  if (!found) return null
  const [, before, currencySign, after, digits, exponent] = found
  const plain = typeof text === 'number' || exponent !== undefined
  const split = splitDecimals(digits as string, plain)
  if (!split || Math.abs(Number(exponent ?? 0)) > 30) return null
  const cents = toCents(split.integer, split.decimals, Number(exponent ?? 0))
  if (cents > mostCents) return null
  const negative = (before ?? '') + (currencySign ?? '') + (after ?? '')
  return negative.includes('-') ? -cents : cents
}

/** The largest number of the database column; anything more is not an amount of money. */
const mostCents = 2n ** 63n - 1n

/** Writes cents without thousands separators, so that every spreadsheet reads them as a number. */
export const formatCents = (cents: bigint, decimal: ',' | '.'): string => {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}${decimal}${digits.slice(-2)}`
}

/** Digits, one separator and two decimals have only one meaning. */
const commonest = /^(\d{1,15})[.,](\d\d)$/

const shape = /^([+-]?)(R\$)?([+-]?)((?:\d[\d.,]*|[.,]\d+))(?:E([+-]?\d+))?$/i

/** Money has two decimals, so a lone separator before exactly three digits groups thousands: `1.234` is 1234,00. */
const splitDecimals = (digits: string, plain: boolean): { integer: string; decimals: string } | null => {
  if (plain) {
    const [, integer, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(digits) ?? []
    return integer === undefined ? null : { integer, decimals }
  }
  if (/^[1-9]\d{0,2}(?:\.\d{3})+$/.test(digits) || /^[1-9]\d{0,2}(?:,\d{3})+$/.test(digits)) {
    return { integer: digits.replace(/[.,]/g, ''), decimals: '' }
  }
  const [, integer, decimals] = /^(\d*|\d{1,3}(?:\.\d{3})+),(\d*)$/.exec(digits) ??
    /^(\d*|\d{1,3}(?:,\d{3})+)\.(\d*)$/.exec(digits) ??
    /^(\d+)()$/.exec(digits) ?? [null, null, null]
  return integer == null || decimals == null ? null : { integer: integer.replace(/[.,]/g, ''), decimals }
}

/** Half a cent and more is rounded away from zero. */
const toCents = (integer: string, decimals: string, exponent: number): bigint => {
  const scale = exponent + 2 - decimals.length
  const digits = BigInt(integer + decimals || '0')
  if (scale >= 0) return digits * 10n ** BigInt(scale)
  const divisor = 10n ** BigInt(-scale)
  return (digits * 2n + divisor) / (divisor * 2n)
}

/** Money as integer cents; never a fraction. */
export type Price = { cents: number; currency: string }

/** What one paid call costs, by kind; a missing kind has no known price. */
export type UnitPrices = Partial<Record<Kind, Price>>

/** What a number of units costs; null if the settings give no price for the kind. */
export const priceOf = (prices: UnitPrices | null, kind: Kind, units: number): Price | null => {
  const price = prices?.[kind]
  return price ? { cents: price.cents * units, currency: price.currency } : null
}

/** `R$ 1.234,50` or `R$1,234.50`, as the language writes it. */
export const formatPrice = ({ cents, currency }: Price, language: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency }).format(cents / 100)

/** Reads `1.90` as 190 cents. */
export const readCents = (amount: string): number => {
  const [integer, decimals = ''] = amount.split('.')
  return Number(`${integer}${decimals.padEnd(2, '0')}`)
}

/** What a batch may spend at most: the limit that was asked for, but no more than the settings allow; null: no limit. */
export const batchLimit = ({ perBatch }: { perBatch: number | null }, wished: number | null = null): number | null =>
  wished === null ? perBatch : withinLimit(wished, perBatch)

/** How many of these units a limit lets through; null: all of them. */
export const withinLimit = (units: number, limit: number | null): number => Math.min(units, limit ?? units)

/** How many of these units a batch may still buy under its limit, given what it has spent. */
export const withinBatchLimit = (units: number, spent: number, limit: number | null): number =>
  withinLimit(units, limit === null ? null : Math.max(0, limit - spent))

/** How many of the waiting units a new limit lets through that the old one did not. */
export const freedByLimit = (
  waiting: number,
  { spent, maxSpend }: { spent: number; maxSpend: number | null },
  limit: number | null,
): number => Math.max(0, withinBatchLimit(waiting, spent, limit) - withinBatchLimit(waiting, spent, maxSpend))
