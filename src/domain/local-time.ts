/** The day at a place, as `2026-11-15`: budgets, reports and slots go by the operator's calendar. */
export const localDay = (moment: Date, timezone: string): string => localMinute(moment, timezone).slice(0, 10)

/** The wall clock at a place, to the minute: `2026-11-15T02:00`. A slot of a schedule is named by it. */
export const localMinute = (moment: Date, timezone: string): string => {
  const parts = Object.fromEntries(
    wallClock(timezone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  )
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`
}

/** The moment the next day begins there, whatever the clocks do that night. */
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
