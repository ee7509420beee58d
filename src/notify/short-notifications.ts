import { withinLimit } from '../domain/amount.ts'
import type { HoldCause } from '../domain/call-failure.ts'
import type { Kind } from '../domain/kind.ts'
import type { Message } from '../messages/message.ts'
import type { NotificationContext, NotificationText, NotifiedEvent } from './notification.ts'

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
export const batchNotification = (
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
export const laneNotification = (
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
      labels.since(format.moment(new Date(heldAt))),
      ...(about === 'lane held' ? [labels.see('vigia lanes')] : []),
    ],
  }
}

/** Events that take one or two sentences. */
export const plainNotification = (
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

/** The documents of a batch at risk and, in cents, by how much. */
export type TotalsAtRisk = { documents: number; atRisk: number; cents: string | null }

export const riskNotes = (risk: TotalsAtRisk | null, { labels, format }: NotificationContext): string[] => {
  if (risk === null || risk.documents === 0) return []
  const amount = risk.atRisk > 0 && risk.cents !== null ? format.cents(BigInt(risk.cents)) : null
  return [labels.risk(format.count(risk.atRisk), format.count(risk.documents), amount)]
}
