/**
 * Reads a point in time in any of the shapes that the registry sends; null for any other text.
 *
 * Epoch milliseconds or seconds, ISO 8601 with a zone, ISO 8601 without one, and `dd/mm/yyyy hh:mm:ss` (Interface 2.1, 2.2,
 * 2.5). Without a zone the time is São Paulo's.
 */
export const parseMoment = (value: unknown): Date | null => {
  if (value instanceof Date) return valid(value.getTime())
  if (typeof value === 'number') return valid(value) ?? valid(value * 1_000)
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (/^-?\d{9,14}$/.test(text)) return parseMoment(Number(text))
  const iso = isoShape.exec(text)
  if (iso) {
    const [, year, month, day, hour, minute, second, fraction, zone] = iso
    return fromParts(year, month, day, { hour, minute, second, fraction }, zone)
  }
  const [, day, month, year, hour, minute, second, fraction] = brazilianShape.exec(text) ?? []
  return year ? fromParts(year, month, day, { hour, minute, second, fraction }) : null
}

/** The earliest and the latest moment that a date may mean. */
export type Span = { from: Date; to: Date }

/**
 * Like `parseMoment`, but a date without a time is a full day, and `03/11/2026` may mean either month unless the day is
 * known to come first.
 */
export const parseSpan = (value: unknown, { isDayFirst = false } = {}): Span | null => {
  const asWritten = parseMoment(value)
  const monthFirst = isDayFirst ? null : parseMoment(withMonthFirst(value))
  const [one, other] = [asWritten ?? monthFirst, monthFirst ?? asWritten]
  if (!one || !other) return null
  const isDay = typeof value === 'string' && dayShape.test(value.trim())
  const [from, to] = [Math.min(one.getTime(), other.getTime()), Math.max(one.getTime(), other.getTime())]
  return { from: new Date(from), to: new Date(to + (isDay ? 86_400_000 - 1 : 0)) }
}

/** A day above 12 in the first place shows that the day comes first. */
export const provesDayFirst = (text: string | null): boolean => /^(?:1[3-9]|2\d|3[01])\/\d{2}\//.test(text ?? '')

const withMonthFirst = (value: unknown): string | null =>
  typeof value === 'string' && /^\s*\d{2}\/\d{2}\//.test(value) ? value.replace(/(\d{2})\/(\d{2})/, '$2/$1') : null

const dayShape = /^(?:\d{4}-\d{2}-\d{2}|\d{2}\/\d{2}\/\d{4})$/

const time = String.raw`(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?`
const isoShape = new RegExp(
  String.raw`^(\d{4})-(\d{2})-(\d{2})(?:[T ]${time}\s?(Z|[+-]\d{2}(?::?\d{2})?)?(?:\[[\w/+-]+\])?)?$`,
  'i',
)
const brazilianShape = new RegExp(String.raw`^(\d{2})/(\d{2})/(\d{4})(?:,?\s+${time})?$`)

type Text = string | undefined
type TimeParts = { hour: Text; minute: Text; second: Text; fraction: Text }

const fromParts = (years: Text, months: Text, days: Text, time: TimeParts, zone?: string): Date | null => {
  const [year, month, day] = [Number(years), Number(months), Number(days)]
  const [hour, minute, second] = [Number(time.hour ?? 0), Number(time.minute ?? 0), Number(time.second ?? 0)]
  const milliseconds = Number((time.fraction ?? '').slice(0, 3).padEnd(3, '0'))
  const wall = new Date(Date.UTC(year, month - 1, day, hour, minute, second, milliseconds))
  wall.setUTCFullYear(year, month - 1, day)
  const exists =
    wall.getUTCMonth() === month - 1 && wall.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  if (!exists) return null
  return valid(zone ? wall.getTime() - zoneOffset(zone) : wall.getTime() - saoPauloOffset(wall.getTime()))
}

const zoneOffset = (zone: string): number => {
  if (/^z$/i.test(zone)) return 0
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) as RegExpExecArray
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0)) * 60_000
}

/** UTC-3 all year now, but with summer time until 2019, so the zone's name is needed and not an offset. */
const saoPaulo = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Sao_Paulo', timeZoneName: 'longOffset' })

const saoPauloOffset = (wallTime: number): number => {
  const guess = offsetAt(wallTime + 3 * 3_600_000)
  return offsetAt(wallTime - guess)
}

/** Clocks change on the hour, and the calendar is by far the most expensive part, so each hour is looked up once. */
const offsets = new Map<number, number>()

const offsetAt = (epoch: number): number => {
  const hour = Math.floor(epoch / 3_600_000)
  const known = offsets.get(hour)
  if (known !== undefined) return known
  if (offsets.size > 10_000) offsets.clear()
  const offset = askOffset(epoch)
  offsets.set(hour, offset)
  return offset
}

const askOffset = (epoch: number): number => {
  const [, sign, hours, minutes, seconds] =
    /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(saoPaulo.format(new Date(epoch))) ?? []
  const offset = Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000 + Number(seconds ?? 0) * 1_000
  return sign === '-' ? -offset : offset
}

/** A date outside these years has another unit, or is a placeholder such as the first day of an epoch. */
const earliest = Date.UTC(2000, 0)
const latest = Date.UTC(2200, 0)

const valid = (epoch: number): Date | null => (epoch >= earliest && epoch < latest ? new Date(epoch) : null)
