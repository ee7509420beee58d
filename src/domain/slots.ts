/** The minutes of the wall clock that a schedule names; a minute belongs to it when all five fields agree. */
export type SlotFields = {
  minute: readonly number[]
  hour: readonly number[]
  dayOfMonth: readonly (number | string)[]
  month: readonly number[]
  dayOfWeek: readonly (number | string)[]
}

/**
 * The last slot at or before a wall clock such as `2026-11-15T02:00`; null where the last five years have none.
 *
 * Slots are counted on the wall clock, not in elapsed time. So a night in which the clock jumps over the slot still
 * has it (it is due as soon as the clock stands behind it), and one in which the clock shows it twice has it once.
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
