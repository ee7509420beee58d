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

/** Consciência Negra is a holiday of the whole country since 2024. (Law 14.759/2023) */
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
