import { changedField, changedValue } from '../domain/changed-field.ts'
import type { Kind } from '../domain/kind.ts'
import type { Verdict } from '../domain/risk-change.ts'
import { type Met, type Severity, severities } from '../domain/rule.ts'
import type { Message } from '../messages/message.ts'
import {
  type NotificationContext,
  type NotificationItem,
  type NotificationText,
  type NotifiedEvent,
  riskNotes,
  type TotalsAtRisk,
} from './notification.ts'

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
export const sweepNotification = (
  { severity, body }: NotifiedEvent,
  context: NotificationContext,
): NotificationText => {
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
    lead: `${run[0]!.toUpperCase()}${run.slice(1)}: ${labels.proof(count(verified), count(due), count(changed))}`,
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
    what: changedField(terms.classifications, labels.fields, change.field),
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
