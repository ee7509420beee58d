import { type CellValue, cellType } from '../cell-type.ts'
import type { NumberFormat, ShownTime } from './number-formats.ts'
import type { StringTable } from './string-table.ts'
import { trimXmlSpace, unescapeCharacters } from './xml-text.ts'

/** What a cell needs of the rest of the workbook. */
export type CellSource = {
  strings: StringTable
  formats: NumberFormat[]
  date1904: boolean
  /** How many characters the cells of one sheet may hold together. */
  mostText: number
}

/** A cell as it is written: its value, the letters of its type, and the number of its style. */
type RawCell = { raw: string; type: string; style: number; hasFormula: boolean }

/** The value of a cell; of a formula the one that was last calculated. Null where the cell contradicts itself. */
export const readCell = (source: CellSource, cell: RawCell): CellValue | null => {
  if (cell.raw === '') return { text: '', type: cell.hasFormula ? cellType.uncalculated : cellType.empty }
  switch (cell.type) {
    case 'n':
      return numberText(cell.raw, source.formats[cell.style] ?? unformatted, source.date1904)
    case 's':
      return asText(source.strings.get(toInteger(cell.raw)))
    case 'inlineStr':
      return asText(cell.raw)
    case 'str':
      return asText(unescapeCharacters(cell.raw))
    case 'b':
      return { text: isTrue(cell.raw) ? 'TRUE' : 'FALSE', type: cellType.boolean }
    case 'e':
      return { text: trimXmlSpace(cell.raw), type: cellType.error }
    case 'd':
      return isoDateText(cell.raw)
    default:
      return null
  }
}

const unformatted: NumberFormat = { shows: 'number' }

const asText = (text: string | undefined): CellValue | null =>
  text === undefined ? null : { text, type: text === '' ? cellType.empty : cellType.text }

const isTrue = (raw: string): boolean => raw.trim() === '1' || raw.trim() === 'true'

const toInteger = (raw: string): number => (/^\s*\d+\s*$/.test(raw) ? Number(raw) : -1)

/**
 * A number as a person would copy it from the sheet: without an exponent, rounded to the 15 digits that a spreadsheet
 * shows. A moment where the format makes it one; with leading zeros where the format shows them. Null where it is not a
 * number.
 */
const numberText = (raw: string, format: NumberFormat, date1904: boolean): CellValue | null => {
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

/**
 * A day number as text, always in the order year, month, day, so that no language can misread it. Null outside the years
 * 1900 to 9999, where a spreadsheet shows `####`.
 *
 * `hh:mm` hides the day of a moment, but the text has it: nobody would recognize the moment as hours since 1900.
 */
const dateText = (serial: number, shows: ShownTime, date1904: boolean): CellValue | null => {
  if (serial < 0 || serial >= lastDay) return null
  const seconds = Math.round(serial * secondsOfDay)
  const rest = seconds % secondsOfDay
  const day = (seconds - rest) / secondsOfDay
  const isDayless = shows === 'time' ? serial < 1 : day === 0 && !date1904 && rest > 0
  if (shows === 'duration' || isDayless) return { text: clock(seconds), type: cellType.time }
  const date = dayText(day, date1904)
  if (shows === 'date' && rest === 0) return { text: date, type: cellType.date }
  return { text: `${date} ${clock(rest)}`, type: cellType.dateTime }
}

/** `2026-11-15T08:30:00.000Z`, as the strict dialect writes dates. Null for other texts. */
const isoDateText = (raw: string): CellValue | null => {
  const found = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d)?)?(?:[.,]\d+)?(?:Z|[-+]\d\d:?\d\d)?$/.exec(raw.trim())
  const [, date, time] = found ?? []
  if (!date && !time) return null
  const fullTime = time && (time.length === 5 ? `${time}:00` : time)
  if (!date) return { text: fullTime as string, type: cellType.time }
  if (!fullTime || fullTime === '00:00:00') return { text: date, type: cellType.date }
  return { text: `${date} ${fullTime}`, type: cellType.dateTime }
}

/** The first day of the year 10000. */
const lastDay = 2_958_466
const secondsOfDay = 86_400

/** Day 60 is 29 February 1900, which does not exist: Excel keeps it for compatibility with a program of 1983. */
const dayText = (day: number, date1904: boolean): string => {
  if (day === 60 && !date1904) return '1900-02-29'
  const before1970 = date1904 ? 24_107 : day < 60 ? 25_568 : 25_569
  return new Date((day - before1970) * secondsOfDay * 1000).toISOString().slice(0, 10)
}

const clock = (seconds: number): string => {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`
}
