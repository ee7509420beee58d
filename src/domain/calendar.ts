/** The local day, as `2026-11-15`: budgets, reports and slots follow the operator's calendar. */
export const localDay = (moment: Date, timezone: string): string => localMinute(moment, timezone).slice(0, 10)

/** The local time to the minute, as `2026-11-15T02:00`. It names a slot of a schedule. */
export const localMinute = (moment: Date, timezone: string): string => {
  const parts = Object.fromEntries(
    wallClock(timezone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  )
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`
}

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

const wallClock = (timezone: string): Intl.DateTimeFormat => {
  const known = wallClocks.get(timezone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  wallClocks.set(timezone, made)
  return made
}

/**
 * Whether a day such as `2026-11-20` is worked in Brazil: Monday to Friday, and no national holiday.
 *
 * The holidays are those of federal law, and the three days that move with Easter and on which banks and courts are
 * closed all over the country: Carnival (Monday and Tuesday), Good Friday and Corpus Christi. States and towns have
 * more; a sweep on one of those does no harm.
 */
export const isBusinessDay = (day: string): boolean => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !holidaysOf(Number(day.slice(0, 4))).has(day)
}

/** Consciência Negra is a national holiday since 2024. (Law 14.759/2023) */
const fixed = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25']

const fromEaster = { carnivalMonday: -48, carnivalTuesday: -47, goodFriday: -2, corpusChristi: 60 }

const holidaysOf = (year: number): Set<string> => {
  const easter = easterOf(year).getTime()
  const moving = Object.values(fromEaster).map((days) => new Date(easter + days * 86_400_000))
  return new Set([...fixed.map((date) => `${year}-${date}`), ...moving.map((date) => date.toISOString().slice(0, 10))])
}

/** The Gregorian computus in the form of Meeus, Jones and Butcher; its letters are theirs. */
const easterOf = (year: number): Date => {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  const day = ((h + l - 7 * m + 114) % 31) + 1
  return new Date(Date.UTC(year, month - 1, day))
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

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)

const twoDigits = (n: number): string => String(n).padStart(2, '0')
