import { isBusinessDay as isFederalBusinessDay } from '@brazilian-utils/brazilian-utils'

/** The local day, as `2026-11-15`: budgets, reports and slots follow the operator's calendar. */
export const localDay = (moment: Date, timezone: string): string => localMinute(moment, timezone).slice(0, 10)

/** The local time to the minute, as `2026-11-15T02:00`. It names a slot of a schedule. */
export const localMinute = (moment: Date, timezone: string): string =>
  wallClock(timezone).format(moment).replace(' ', 'T')

/** The moment at which the next local day begins, also in a night when the clocks change. */
export const nextMidnight = (moment: Date, timezone: string): Date => {
  const today = localDay(moment, timezone)
  let before = moment.getTime()
  let after = before + 26 * 3_600_000
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (localDay(new Date(middle), timezone) === today) before = middle
    else after = middle
  }
  return new Date(after)
}

/** The moment at which the next local month begins. */
export const nextMonth = (moment: Date, timezone: string): Date => {
  let at = nextMidnight(moment, timezone)
  while (!localDay(at, timezone).endsWith('-01')) at = nextMidnight(at, timezone)
  return at
}

const wallClocks = new Map<string, Intl.DateTimeFormat>()

/** Sweden writes a date and a time as ISO 8601 does, but for a space between them. */
const wallClock = (timezone: string): Intl.DateTimeFormat => {
  const known = wallClocks.get(timezone)
  if (known) return known
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
  wallClocks.set(timezone, made)
  return made
}

/**
 * Whether a day such as `2026-11-20` is worked in Brazil: Monday to Friday, and no national holiday.
 *
 * The holidays are those of federal law, and the days that move with Easter and on which banks and courts are closed all
 * over the country. The library lacks Carnival Monday. States and towns have more; a sweep on one of those does no harm.
 */
export const isBusinessDay = (day: string): boolean => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const at = (each: number) => new Date(year, month - 1, each)
  // No other holiday of February or March is a Tuesday.
  const isCarnivalMonday =
    (month === 2 || month === 3) && at(date).getDay() === 1 && !isFederalBusinessDay(at(date + 1))
  return isFederalBusinessDay(at(date)) && !isCarnivalMonday
}

/** The minutes of the wall clock that a schedule names; a minute belongs to it when all five fields agree. */
export type SlotFields = {
  minute: readonly number[]
  hour: readonly number[]
  dayOfMonth: readonly (number | string)[]
  month: readonly number[]
  dayOfWeek: readonly (number | string)[]
}

/**
 * The last slot at or before a local time such as `2026-11-15T02:00`; null if the last five years have none.
 *
 * Slots are counted in local time, not in elapsed time. If the clock jumps over a slot, it still exists and is due as soon
 * as the clock is behind it. If the clock shows a slot twice, it exists once.
 */
export const lastSlot = (
  fields: SlotFields,
  wallClock: string,
  isOpenDay: (day: string) => boolean = () => true,
): string | null => {
  const [today, time] = wallClock.split('T') as [string, string]
  const times = timesOf(fields)
  for (let back = 0; back < 5 * 366; back++) {
    const day = dayBefore(today, back)
    if (!namesDay(fields, day) || !isOpenDay(day)) continue
    const last = back === 0 ? times.findLast((each) => each <= time) : times.at(-1)
    if (last) return `${day}T${last}`
  }
  return null
}

const timesOf = ({ hour, minute }: SlotFields): string[] =>
  hour.flatMap((h) => minute.map((m) => `${twoDigits(h)}:${twoDigits(m)}`)).sort()

const namesDay = ({ dayOfMonth, month, dayOfWeek }: SlotFields, day: string): boolean => {
  const date = new Date(`${day}T00:00:00Z`)
  return (
    month.includes(date.getUTCMonth() + 1) &&
    dayOfMonth.includes(date.getUTCDate()) &&
    dayOfWeek.includes(date.getUTCDay())
  )
}

/** The day that many days before another one. */
export const dayBefore = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)

const twoDigits = (n: number): string => String(n).padStart(2, '0')
