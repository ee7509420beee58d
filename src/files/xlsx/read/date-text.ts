import type { CellValue } from '../cell-type.ts'
import { cellType } from '../cell-type.ts'

/** What a format shows of a day number: `time` is the time of day, `duration` counts hours beyond one day. */
export type ShownTime = 'date' | 'dateTime' | 'time' | 'duration'

/**
 * A day number as text, always in the order year, month, day, so that no language can misread it. Null outside the years
 * 1900 to 9999, where a spreadsheet shows `####`.
 *
 * `hh:mm` hides the day of a moment, but the text has it: nobody would recognize the moment as hours since 1900.
 */
export const dateText = (serial: number, shows: ShownTime, date1904: boolean): CellValue | null => {
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
export const isoDateText = (raw: string): CellValue | null => {
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
