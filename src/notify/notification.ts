import type { Kind } from '../domain/kind.ts'
import type { Severity } from '../domain/rule.ts'
import type { enTerms } from '../messages/en/terms.ts'
import type { NotificationLabels } from '../messages/labels.ts'
import type { Format } from '../writing/format.ts'

/** The text about one event, in the receiver's language. Each channel formats it in its own way. */
export type Notification = {
  severity: Severity
  subject: string
  title: string
  /** The main sentence. It is true even when nothing happened. */
  lead: string
  items: NotificationItem[]
  /** Further facts, each a full sentence. */
  notes: string[]
  /** The page about it, where the settings say at which address people open the page. */
  link: { text: string; url: string } | null
}

/** A notification before it has a link. */
export type NotificationText = Omit<Notification, 'link'>

/** One change: who, what, and the value before and after. */
export type NotificationItem = {
  name: string
  document: string
  what: string
  verdict: string
  tone: 'bad' | 'warn' | 'good'
  before: string | null
  after: string | null
  rules: { name: string; severity: Severity }[]
}

export type NotifiedEvent = { about: string; severity: Severity; body: Record<string, unknown> }

/** What a notification is made with: texts, terms and formats of one language, and the largest number of items. */
export type NotificationContext = {
  labels: NotificationLabels
  terms: typeof enTerms
  format: Format
  most: number
  /** `5`, or `5 (R$ 9,50)` where the price of the kind is known. */
  paid(kind: Kind, units: number): string
}

/** A notification as plain text, one fact per line. */
export const notificationText = ({ title, lead, items, notes, link }: Notification, foot: string): string =>
  [
    title,
    '',
    lead,
    ...items.flatMap((item) => ['', ...itemLines(item)]),
    ...spaced(notes),
    ...(link ? ['', `${link.text}: ${link.url}`] : []),
    '',
    '-- ',
    foot,
    '',
  ].join('\n')

const spaced = (notes: string[]): string[] => notes.flatMap((note) => ['', note])

const itemLines = (item: NotificationItem): string[] => [
  [item.name, item.document].filter(Boolean).join('  '),
  `  ${itemSentence(item)}`,
  ...(item.rules.length > 0 ? [`  ! ${item.rules.map(({ name }) => name).join(', ')}`] : []),
]

/** `Lawsuits: 1 → 3 (worse)`, or `Radar: removed` where there are no figures. */
export const itemSentence = (item: NotificationItem): string =>
  `${item.what}: ${moved(item)}${isFigure(item) ? ` (${item.verdict})` : ''}`

export const moved = (item: NotificationItem): string =>
  isFigure(item) ? `${item.before ?? '–'} → ${item.after ?? '–'}` : item.verdict

export const isFigure = ({ before, after }: NotificationItem): boolean => before !== null || after !== null
