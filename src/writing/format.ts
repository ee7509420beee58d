import { formatCents } from '../domain/amount.ts'
import { localMinute } from '../domain/calendar.ts'
import { formatDocument, maskDocument } from '../domain/document.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import type { Message } from '../messages/message.ts'

/** Numbers and amounts as the language of the reader writes them; dates and documents as Brazil does. */
export type Format = ReturnType<typeof createFormat>

/** A language, and how it formats a message. */
type Tongue = { language: string; formatMessage: (what: Message) => string }

export const createFormat = (timezone: string, { language, formatMessage }: Tongue) => ({
  /** `2.000`, or `2,000` on the English page; `–` where there is no figure, which is not a zero. */
  count: (value: number | bigint | null | undefined): string =>
    value == null ? '–' : figure(language, {}).format(value),
  share: (value: number): string => figure(language, { style: 'percent', maximumFractionDigits: 1 }).format(value),
  bytes: (value: number): string => bytes(language, value),
  /** `R$ 1.234,56`, or `–`; given as text, so that amounts beyond 2^53 keep all their digits. */
  cents: (value: bigint | null | undefined): string =>
    value == null ? '–' : figure(language, { style: 'currency', currency: 'BRL' }).format(literal(value)),
  /** `R$ 1,2 mi` */
  roundCents: (value: bigint): string =>
    figure(language, { style: 'currency', currency: 'BRL', notation: 'compact', maximumFractionDigits: 1 }).format(
      literal(value),
    ),
  /** A number that came as text and without a unit, such as `1234.50`: `1.234,50` */
  decimal: (text: string): string =>
    /^-?\d{1,15}\.\d{2}$/.test(text)
      ? figure(language, { minimumFractionDigits: 2 }).format(text as Intl.StringNumericLiteral)
      : text,
  /** `15/11/2026 02:00` */
  moment: (value: Date | string | number): string => {
    const [day, time] = localMinute(new Date(value), timezone).split('T') as [string, string]
    return `${brazilian(day)} ${time}`
  },
  /** `15/11/2026 02:00:05` */
  instant: (value: Date | string): string => instants(timezone).format(new Date(value)).replace(', ', ' '),
  /** `15/11/2026`, of a moment or of a day such as `2026-11-15` */
  day: (value: Date | string): string =>
    brazilian(typeof value === 'string' ? value.slice(0, 10) : localMinute(value, timezone).slice(0, 10)),
  /** `0,35 s` */
  seconds: (value: number): string =>
    figure(language, { style: 'unit', unit: 'second', unitDisplay: 'narrow', maximumSignificantDigits: 2 }).format(
      value,
    ),
  /** `2 h 05 min`, `45 s` */
  duration,
  document: (number: string, revealed = false): string => (revealed ? formatDocument(number) : maskDocument(number)),
  /** A text of the registry, a file or a log: shown with its documents masked. */
  text: (value: string): string => maskDocuments(value),
  /** A message of Vigia in the language of the page. */
  message: (what: Message | string): string => maskDocuments(typeof what === 'string' ? what : formatMessage(what)),
  /** Why a lane is held. The time of the next trial comes from the clock, not from when the lane was held. */
  heldFor: (what: Message | string): string =>
    maskDocuments(
      typeof what === 'string' ? what : formatMessage(what[0] === 'outage' ? ['outage', what[1], null] : what),
    ),
})

const literal = (cents: bigint) => formatCents(cents, '.') as Intl.StringNumericLiteral

const figures = new Map<string, Intl.NumberFormat>()

/** Created once for each format: creating one takes longer than formatting a complete page with it. */
const figure = (language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const name = `${language} ${JSON.stringify(options)}`
  const known = figures.get(name) ?? new Intl.NumberFormat(language, options)
  figures.set(name, known)
  return known
}

const instants = (timeZone: string) =>
  new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'medium' })

const brazilian = (day: string): string => day.split('-').reverse().join('/')

const bytes = (language: string, value: number): string => {
  const steps = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const step = value < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log2(value) / 10))
  const scaled = value / 1024 ** step
  const digits = { maximumFractionDigits: scaled < 10 && step > 0 ? 1 : 0 }
  return `${figure(language, digits).format(scaled)} ${steps[step]}`
}

const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}
