import { formatPrice, priceOf, type UnitPrices, withinLimit } from '../domain/amount.ts'
import type { HoldCause } from '../domain/call-failure.ts'
import { changedField, changedValue } from '../domain/changed-field.ts'
import type { Kind } from '../domain/kind.ts'
import type { Verdict } from '../domain/risk-change.ts'
import { type Met, type Severity, severities } from '../domain/rule.ts'
import { labelsIn } from '../messages/labels.ts'
import type { Language } from '../messages/languages.ts'
import type { Message } from '../messages/message.ts'
import { notificationLabels } from '../messages/notifications.ts'
import { createFormat } from '../writing/format.ts'
import {
  type Notification,
  type NotificationContext,
  type NotificationItem,
  type NotificationText,
  type NotifiedEvent,
  riskNotes,
  type TotalsAtRisk,
} from './notification.ts'

export type NotificationForm = 'mail' | 'chat'

/** Writes the notification of an event, with as many items as its form allows. */
export const createNotification = (
  event: NotifiedEvent,
  { language, timezone, form, publicUrl = null, prices = null }: NotificationOptions,
): Notification => {
  const { terms, ...texts } = labelsIn(language)
  const labels = notificationLabels[language]
  const format = createFormat(timezone, texts)
  const context: NotificationContext = {
    labels,
    terms,
    format,
    most: mostItems[form],
    paid(kind, units) {
      const price = priceOf(prices, kind, units)
      return `${format.count(units)}${price ? ` (${formatPrice(price, language)})` : ''}`
    },
  }
  const url = linkOf(event, publicUrl)
  const link = url === null ? null : { text: labels.open, url }
  return { ...(creators[event.about] ?? plainNotification)(event, context), link }
}

type NotificationOptions = {
  language: Language
  timezone: string
  form: NotificationForm
  /** The address at which people open the page. */
  publicUrl?: string | null
  prices?: UnitPrices | null
}

/** The page about an event: its batch, the columns of a rejected file, the changes of a night or a run, or the first page, which lists what is held. */
export const linkOf = ({ about, body }: NotifiedEvent, publicUrl: string | null): string | null => {
  if (publicUrl === null) return null
  const { batch, upload, kept } = body as { batch?: number; upload?: number; kept?: boolean }
  if (about === 'file.rejected' && kept) return linkTo(publicUrl, `uploads/${upload}`)
  return linkTo(publicUrl, about.startsWith('batch.') ? `batches/${batch}` : (pages[about] ?? ''))
}

const linkTo = (publicUrl: string, path: string): string => `${publicUrl.replace(/\/+$/, '')}/${path}`

const pages: Record<string, string> = {
  'sweep.finished': 'changes',
  'portfolio.finished': 'changes',
  'rule.met': 'changes',
  'radars.suspicious': 'radars',
  'file.rejected': 'batches#rejected',
}

/** The page and the file list every item. Chats cut long messages, so they list fewer. */
const mostItems: Record<NotificationForm, number> = { mail: 25, chat: 12 }

type BatchBody = {
  batch: number
  name: string
  kind: Kind
  rows: number
  rejected: number
  unanswered: number
  parked: number
  toBePaid: number
  maxSpend?: number | null
  spent?: number
  by?: string | null
  risk?: TotalsAtRisk | null
  /** How it ended; a message of an earlier version has none. */
  state?: string
}

/** A file is done or needs approval. Rows with an unknown outcome have to be settled by a person. */
const batchNotification = (
  { about, severity, body }: NotifiedEvent,
  context: NotificationContext,
): NotificationText => {
  const { labels, terms, format, paid } = context
  const { batch, name, kind, rows, rejected, state = 'done', ...facts } = body as BatchBody
  const { unanswered, parked, spent = 0, by, risk = null } = facts
  const file = `${format.text(name)} (${batch})`
  const isDone = about === 'batch.done'
  const count = (value: number) => format.count(value)
  const ended = { rejected: labels.batchRejected, cancelled: labels.batchCancelled }[state] ?? labels.batchDone
  const title = isDone ? ended(file) : labels.batchWaits(file)
  const notes = isDone
    ? [
        ...(state === 'rejected' ? [labels.batchNoRow] : []),
        ...riskNotes(risk, context),
        ...(spent > 0 ? [labels.bought(paid(kind, spent))] : []),
        ...(parked > 0 ? [labels.batchParked(count(parked), `vigia parked`)] : []),
        ...(unanswered > 0 ? [labels.batchUnanswered(count(unanswered))] : []),
      ]
    : [...(by ? [labels.batchBy(format.text(by))] : []), labels.batchConfirm(`vigia confirm ${batch}`)]
  const lead = isDone
    ? labels.batchRows(terms.kinds[kind], count(rows), count(rejected))
    : labels.batchCost(terms.kinds[kind], count(rows), paid(kind, withinLimit(facts.toBePaid, facts.maxSpend ?? null)))
  return { severity, subject: title, title, lead, items: [], notes }
}

type LaneBody = {
  lanes: string[]
  organization: number
  kind: Kind
  cause: HoldCause
  said: Message | null
  reason: string
  heldAt: string
}

/** A lane is held, and why, or it was resumed. */
const laneNotification = (
  { about, severity, body }: NotifiedEvent,
  { labels, terms, format }: NotificationContext,
): NotificationText => {
  const { lanes, organization, kind, cause, said: message, reason, heldAt } = body as LaneBody
  const name = lanes.length > 1 ? labels.allLanes(format.count(lanes.length)) : `${terms.kinds[kind]} (${organization})`
  const title = about === 'lane held' ? labels.laneHeld(name) : labels.laneFree(name)
  const why = format.heldFor(message ?? reason)
  return {
    severity,
    subject: title,
    title,
    lead: `${terms.causes[cause]}.`,
    items: [],
    notes: [
      ...(why ? [why] : []),
      labels.since(format.moment(heldAt)),
      ...(about === 'lane held' ? [labels.see('vigia lanes')] : []),
    ],
  }
}

/** Events that take one or two sentences. */
const plainNotification = (
  { about, severity, body }: NotifiedEvent,
  { labels, terms, format }: NotificationContext,
): NotificationText => {
  const text = (key: string) => (body[key] === undefined || body[key] === null ? '' : format.text(String(body[key])))
  const reason = body.said ? format.message(body.said as Message) : text('reason')
  const slot = text('slot').replace('T', ' ')
  const plain: Record<string, { title: string; lead: string; notes: string[] }> = {
    'sweep.missed': { title: labels.sweepMissed(slot), lead: labels.sweepMadeUp, notes: [labels.see('vigia sweeps')] },
    'sweep.failed': {
      title: labels.sweepFailed(terms.sweeps[text('name') as keyof typeof terms.sweeps] ?? text('name'), slot),
      lead: reason,
      notes: [labels.see('vigia sweeps')],
    },
    'radars.suspicious': {
      title: labels.suspicious(text('organizationId')),
      lead: reason,
      notes: [labels.accept(`vigia radars accept ${text('organizationId')}`)],
    },
    'file.rejected': {
      title: labels.fileRejected(text('name')),
      lead: `${reason}.`,
      notes: [labels.fileNothingSpent, body.kept ? labels.fileColumns : labels.fileAgain],
    },
    test: { title: labels.test, lead: labels.testLead(text('by')), notes: [] },
  }
  const notification = plain[about] ?? { title: about, lead: reason, notes: [] }
  return { severity, subject: notification.title, items: [], ...notification }
}

/** A change as an alert stores it: its document is masked. */
export type NotifiedChange = {
  document: string
  name: string | null
  /** What the reader's own file calls the document. */
  ref?: string | null
  field: string
  verdict: Verdict
  before: string | null
  after: string | null
  rules: Met[]
}

type SweepBody = {
  /** The name of the portfolio whose run it is, and how many paid look-ups the run made. */
  portfolio?: string
  spent?: number
  kind?: Kind
  risk?: TotalsAtRisk | null
  sweep: { slot: string; startedAt: string }
  due: number
  verified: number
  changed: number
  reasons: { said: Message | null; reason: string; documents: number }[]
  told: Partial<Record<Severity, number>>
  worst: NotifiedChange[]
}

/** What a sweep found, what to look at first, and how much was verified. */
const sweepNotification = ({ severity, body }: NotifiedEvent, context: NotificationContext): NotificationText => {
  const { labels, format, most } = context
  const { sweep, portfolio, spent, kind, risk, due, verified, changed, reasons, told, worst } = body as SweepBody
  const day = format.day(new Date(sweep.startedAt))
  const highest = severities.toReversed().find((each) => told[each])
  const count = (value: number) => format.count(value)
  const run = `${portfolio ? labels.portfolio(portfolio) : labels.sweep} ${day}`
  const headline = headlineOf(body as SweepBody, context, highest)
  return {
    severity: highest ?? severity,
    subject: `${headline} – ${run}`,
    title: headline,
    lead: `${run[0]!.toUpperCase()}${run.slice(1)}: ${context.terms.proof(count(verified), count(due), count(changed))}`,
    items: worst.slice(0, most).map((change) => item(change, context)),
    notes: [
      ...unverified(reasons, due - verified, context),
      ...(worst.length > most ? [(portfolio ? labels.moreDifferences : labels.more)(count(most))] : []),
      ...riskNotes(risk ?? null, context),
      ...(spent === undefined ? [] : [labels.bought(kind ? context.paid(kind, spent) : count(spent))]),
    ],
  }
}

/** A document that joined or left a list has no changed figure, but "Nothing changed" would be wrong. */
const headlineOf = (
  { told, changed, worst }: SweepBody,
  { labels, format }: NotificationContext,
  highest?: Severity,
): string => {
  const alerts = highest && told[highest]
  if (alerts) return labels.alerts(format.count(alerts), labels.severities[highest], alerts === 1)
  if (changed > 0) return labels.changes(format.count(changed), changed === 1)
  return worst.length > 0 ? labels.listChanged : labels.nothing
}

const unverified = (
  reasons: SweepBody['reasons'],
  missing: number,
  { labels, format }: NotificationContext,
): string[] => {
  if (missing <= 0) return []
  const each = reasons.map(
    ({ said: message, reason, documents }) => `${format.message(message ?? reason)} (${format.count(documents)})`,
  )
  return [`${labels.unverified(format.count(missing))} ${each.join('; ')}.`]
}

const item = (change: NotifiedChange, { labels, terms, format }: NotificationContext): NotificationItem => {
  const value = (text: string | null) => (text === null ? null : changedValue(format, change.field, text))
  return {
    name: format.text(change.name ?? ''),
    document: change.ref ? `${change.document} · ${labels.ref} ${format.text(change.ref)}` : change.document,
    what: changedField(terms, change.field),
    verdict: terms.verdicts[change.verdict],
    tone: toneOf(change.verdict),
    before: value(change.before),
    after: value(change.after),
    rules: change.rules.map(({ rule, severity }) => ({ name: rule, severity })),
  }
}

const toneOf = (verdict: Verdict): NotificationItem['tone'] => {
  if (verdict === 'new' || verdict === 'worse') return 'bad'
  return verdict === 'better' || verdict === 'cleared' ? 'good' : 'warn'
}

const creators: Record<string, (event: NotifiedEvent, context: NotificationContext) => NotificationText> = {
  'sweep.finished': sweepNotification,
  'portfolio.finished': sweepNotification,
  'rule.met': sweepNotification,
  'batch.done': batchNotification,
  'batch.unconfirmed': batchNotification,
  'lane held': laneNotification,
  'lane free': laneNotification,
}
