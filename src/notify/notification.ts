import type { Severity } from '../domain/rule.ts'
import type { enTerms } from '../domain/terms/english.ts'
import type { Format } from '../writing/format.ts'
import type { NotificationLabels } from './en-labels.ts'

/** What people are told of one event, in their language; each channel puts it into its own form. */
export type Notification = {
  severity: Severity
  subject: string
  title: string
  /** The sentence that is true even when nothing happened. */
  lead: string
  items: NotificationItem[]
  /** What else there is to know, each a sentence of its own. */
  notes: string[]
}

/** One change: whose, what, and from where to where. */
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

/** What a letter is written with: words, names of things, numbers and dates of one language, and how many changes it shows. */
export type NotificationContext = { labels: NotificationLabels; terms: typeof enTerms; format: Format; most: number }
