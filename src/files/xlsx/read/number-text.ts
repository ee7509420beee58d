import { type CellValue, cellType } from '../cell-type.ts'
import { dateText } from './date-text.ts'
import type { NumberFormat } from './number-formats.ts'

/**
 * A number as a person would copy it from the sheet: without an exponent, rounded to the 15 digits that a spreadsheet
 * shows. A moment where the format makes it one; with leading zeros where the format shows them. Null where it is not a
 * number.
 */
export const numberText = (raw: string, format: NumberFormat, date1904: boolean): CellValue | null => {
  if (format.shows === 'number' && raw.length <= 15 && asItIs.test(raw)) return { text: raw, type: cellType.number }
  const value = parseDecimal(raw.trim()) ? Number(raw) : Number.NaN
  if (!Number.isFinite(value)) return null
  if (format.shows === 'digits') return digits(value, format.width)
  if (format.shows !== 'number') return dateText(value, format.shows, date1904) ?? plain(value, raw)
  return plain(value, raw)
}

/** Most numbers are written as they are to be shown, and need no conversion. */
const asItIs = /^(?:0|-?(?:0|[1-9]\d*)\.\d*[1-9]|-?[1-9]\d*)$/

const digits = (value: number, width: number): CellValue => {
  const integer = Math.round(value)
  if (integer < 0 || integer >= tooLong) return plain(value, String(value))
  return { text: String(integer).padStart(width, '0'), type: cellType.padded }
}

const plain = (value: number, raw: string): CellValue => {
  if (Math.abs(value) >= tooLong) return { text: withoutExponent(raw.trim()), type: cellType.cutNumber }
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(15))
  return { text: withoutExponent(String(rounded)), type: cellType.number }
}

/** The first number that has 16 digits. */
const tooLong = 1e15

/** `1.1222333000181E13` is 11222333000181. An absurd exponent is left as it is. */
const withoutExponent = (text: string): string => {
  const found = parseDecimal(text)
  if (!found || found.exponent === null) return text === '-0' ? '0' : text
  const { isNegative, integer, fraction, exponent } = found
  const point = integer.length + exponent
  const all = integer + fraction
  if (Math.abs(point) > 400) return text
  const padded = point <= 0 ? '0'.repeat(1 - point) + all : all.padEnd(point, '0')
  const at = Math.max(point, 1)
  let end = padded.length
  while (end > at && padded[end - 1] === '0') end--
  const rest = padded.slice(at, end)
  return `${isNegative ? '-' : ''}${padded.slice(0, at)}${rest && `.${rest}`}`
}

/** The parts of a decimal number, in one pass: a regular expression takes minutes over some 100,000 digits. */
const parseDecimal = (text: string) => {
  const from = text[0] === '-' || text[0] === '+' ? 1 : 0
  const point = digitsEnd(text, from)
  const fractionFrom = text[point] === '.' ? point + 1 : point
  const end = digitsEnd(text, fractionFrom)
  const exponent = end === text.length ? null : exponentAt(text, end)
  if (point - from + end - fractionFrom === 0 || exponent === undefined) return null
  return {
    isNegative: text[0] === '-',
    integer: text.slice(from, point),
    fraction: text.slice(fractionFrom, end),
    exponent,
  }
}

const exponentAt = (text: string, at: number): number | undefined => {
  const from = text[at + 1] === '-' || text[at + 1] === '+' ? at + 2 : at + 1
  const isInteger = from < text.length && digitsEnd(text, from) === text.length
  return isInteger && (text[at] === 'e' || text[at] === 'E') ? Number(text.slice(at + 1)) : undefined
}

const digitsEnd = (text: string, from: number): number => {
  let at = from
  while (at < text.length && text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at++
  return at
}
