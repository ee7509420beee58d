/** The day number, counted from 1900, of `2026-11-15`, `2026-11-15 08:30:00` or `08:30:00`; null where there is none. */
export const serialOf = (text: string): number | null => {
  const found = /^(?:(\d{4})-(\d\d)-(\d\d))?(?: ?(\d{2,}):(\d\d):(\d\d))?$/.exec(text)
  if (!found || text === '') return null
  const [, year, month, day, hours = 0, minutes = 0, seconds = 0] = found
  const date = year === undefined ? 0 : dayNumber(Number(year), Number(month), Number(day))
  if (date === null) return null
  return date + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400
}

/** Day 60 never was, and days before it are one less than they should be. */
const dayNumber = (year: number, month: number, day: number): number | null => {
  if (year === 1900 && month === 2 && day === 29) return 60
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1900) return null
  const days = date.getTime() / 86_400_000 + 25_569
  return days <= 60 ? days - 1 : days
}
