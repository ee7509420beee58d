import type { Severity } from '../domain/rule.ts'
import type { enTerms } from '../domain/terms/english.ts'
import type { Format } from '../writing/format.ts'
import type { NotificationLabels } from './en-labels.ts'

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
}

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
export type NotificationContext = { labels: NotificationLabels; terms: typeof enTerms; format: Format; most: number }
