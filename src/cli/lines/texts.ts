import { stripVTControlCharacters, styleText } from 'node:util'
import { formatPrice, type Price } from '../../domain/amount.ts'

export const { format: number } = new Intl.NumberFormat('en')

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

/** `lookupsWithoutJob` reads `lookups without job`. */
export const spaced = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** The texts that there are. */
export const joined = (texts: readonly (string | false | null | undefined)[], between: string): string =>
  texts.filter(Boolean).join(between)

/** Two columns: the label and its text, where there is one. */
export const renderFacts = (facts: Record<string, string | null | undefined>): string =>
  renderPairs(Object.entries(facts))

/** The same for labels that come from outside: they may repeat, or be numbers. */
export const renderPairs = (lines: readonly (readonly [string, string | null | undefined])[]): string => {
  const shown = lines.filter((line): line is [string, string] => Boolean(line[1]))
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join('\n')
}

/** A title, and the cell of a row. Figures stand on the right; free text is cut before figures, states and times are. */
export type Column<Row> = readonly [
  title: string,
  cellOf: (row: Row) => string | number | null | undefined,
  look?: 'right' | 'free',
]

/** Lines of a table for people, cut to `width`: first in columns of free text, then in the widest columns. */
export const renderTable = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width = Number.POSITIVE_INFINITY,
): string => {
  const lines = rows.map((row) => columns.map(([, cellOf]) => String(cellOf(row) ?? '')))
  const wanted = columns.map(([title], at) =>
    Math.max(title.length, ...lines.map((cells) => visibleLength(cells[at]!))),
  )
  const available = width - GAP.length * (columns.length - 1)
  const free = columns.flatMap(([, , look], at) => (look === 'free' ? [at] : []))
  const widths = shrink(shrink(wanted, available, free, 8), available, [...columns.keys()], 4)
  const line = (cells: readonly string[]) =>
    columns
      .map(([, , look], at) => pad(cut(cells[at]!, widths[at]!), widths[at]!, look === 'right'))
      .join(GAP)
      .trimEnd()
  return [styleText('bold', line(columns.map(([title]) => title))), ...lines.map(line)].join('\n')
}

const GAP = '  '

/** Narrows the widest of the given columns by one character at a time, until all fit or none is above `least`. */
const shrink = (wanted: readonly number[], available: number, from: readonly number[], least: number): number[] => {
  const widths = [...wanted]
  let over = widths.reduce((sum, width) => sum + width, 0) - available
  while (over > 0) {
    const widest = from.toSorted((a, b) => widths[b]! - widths[a]!)[0]
    if (widest === undefined || widths[widest]! <= least) break
    widths[widest]! -= 1
    over -= 1
  }
  return widths
}

const cut = (text: string, width: number): string => {
  const single = text.replaceAll(/\s+/g, ' ')
  if (visibleLength(single) <= width) return single
  return `${[...stripVTControlCharacters(single)].slice(0, width - 1).join('')}…`
}

const pad = (text: string, width: number, isRight: boolean): string => {
  const space = ' '.repeat(Math.max(0, width - visibleLength(text)))
  return isRight ? space + text : text + space
}

const visibleLength = (text: string): number => [...stripVTControlCharacters(text)].length
