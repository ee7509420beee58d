import { formatPrice, type Price } from '../../domain/amount.ts'

const plain = new Intl.NumberFormat('en')

export const number = (value: number): string => plain.format(value)

/** `1 row`, `2 rows`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`

/** `10 rows`, or `10 rows, 20 documents` where each row is asked about several. */
export const rowsAndDocuments = (rows: number, total: number): string =>
  total === rows ? counted(rows, 'row') : `${counted(rows, 'row')}, ${counted(total, 'document')}`

/** ` (R$22.80)`, after units; empty if no price is known. */
export const bracketedPrice = (price: Price | null): string => (price ? ` (${formatPrice(price, 'en')})` : '')

export const costing = (units: number, price: Price | null): string =>
  `${counted(units, 'unit')}${bracketedPrice(price)}`

/** For places where the label names the unit already. */
export const priced = (units: number, price: Price | null): string => `${number(units)}${bracketedPrice(price)}`

/** A length of time in its two largest units: `40 s`, `2 min 5 s`, `3 h 10 min`. */
export const duration = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
}

/** A moment in the operator's timezone: `2026-11-15 02:00:05`. */
export const localMoment = (value: Date | string | null, timezone: string): string => {
  if (value === null) return ''
  return new Date(value).toLocaleString('sv-SE', { timeZone: timezone })
}

/** `7 ok, 2 failed, 1 rejected`, the answered ones first. */
export const outcomes = (states: Record<string, number>): string => {
  const listed = Object.entries(states).sort(([a, x], [b, y]) => rank(a) - rank(b) || y - x)
  return listed.map(([state, rows]) => `${number(rows)} ${state}`).join(', ')
}

const rank = (state: string): number => (state === 'ok' ? 0 : state === 'rejected' ? 2 : 1)

/** Two columns: the label and its text. */
export const renderFacts = (lines: readonly (readonly [string, string | null | undefined])[]): string => {
  const shown = lines.filter((line): line is [string, string] => Boolean(line[1]))
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join('\n')
}
