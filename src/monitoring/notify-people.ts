import type { Manifest } from '../batches/manifest.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import { reaches, type Severity } from '../domain/rule.ts'
import { alertQueue } from '../queue/queues.ts'
import { enqueue } from '../queue/start-jobs.ts'
import type { Batch } from '../store/batches/batches.ts'
import { readRiskTotals } from '../store/batches/risk.ts'
import type { Sql } from '../store/connect.ts'
import { type Address, insertAlert, insertMessages } from '../store/people/messages.ts'
import type { MonitoringTools } from './monitoring-tools.ts'

/** An event that people outside are notified of. Its body must not contain a full document. */
type PeopleEvent = {
  key: string
  about: string
  severity: Severity
  body: Record<string, unknown>
  /** Receivers who get everything from this severity on are skipped: another notification reaches them. */
  notTo?: Severity
}

export type NotifyContext = Pick<MonitoringTools, 'sql' | 'boss' | 'clock'> & {
  settings: Pick<MonitoringTools['settings'], 'alerts'>
}

/**
 * Notifies people of an event once, however often it is noticed. Without addresses in the settings, nobody is notified.
 *
 * One message per address is stored, in the transaction that caused the event if there is one. A job of its own sends
 * each message until it is accepted, so the caller never waits for a receiver.
 */
export const notifyPeople = async (tools: NotifyContext, event: PeopleEvent, tx?: Sql): Promise<boolean> => {
  const { key, about, severity, body } = event
  const to = addressesOf(tools.settings.alerts, event)
  if (to.length === 0) return false
  const write = async (sql: Sql): Promise<boolean> => {
    const now = tools.clock()
    const alertId = await insertAlert(sql, { key, about, severity, body, now })
    if (alertId === null) return false
    for (const messageId of await insertMessages(sql, alertId, to, now))
      await enqueue(tools.boss, alertQueue, { messageId }, sql)
    return true
  }
  return tx ? write(tx) : tools.sql.begin(write)
}

/** Everyone who wants events of this severity. */
const addressesOf = (
  { webhook, email, slack, teams }: MonitoringTools['settings']['alerts'],
  { severity, notTo }: Pick<PeopleEvent, 'severity' | 'notTo'>,
): Address[] => {
  const wants = (from: Severity) => reaches(severity, from) && from !== notTo
  const all: (Address & { from: Severity })[] = [
    ...(webhook ? [{ channel: 'webhook' as const, address: 'alerts.webhook', from: 'info' as const }] : []),
    ...(email?.to ?? []).map((address) => ({ channel: 'email' as const, address, from: email!.severity })),
    ...(slack ? [{ channel: 'slack' as const, address: 'alerts.slack', from: slack.severity }] : []),
    ...(teams ? [{ channel: 'teams' as const, address: 'alerts.teams', from: teams.severity }] : []),
  ]
  return all.filter(({ from }) => wants(from))
}

/** Notifies that the report of a batch is ready, and whether it was cancelled or all of its rows rejected. A batch that was reopened finishes again. */
export const notifyBatchDone = async (
  tools: NotifyContext,
  batch: Batch,
  manifest: Manifest,
  tx: Sql,
): Promise<boolean> => {
  const risk = await totalsAtRisk(tx, batch)
  const parked = manifest.states.unknown_outcome ?? 0
  return notifyPeople(
    tools,
    {
      key: `batch.done ${batch.id} ${batch.finishedAt?.toISOString()}`,
      about: 'batch.done',
      severity: parked > 0 || batch.state === 'rejected' ? 'warning' : 'info',
      body: { ...factsOf(batch), state: batch.state, unanswered: manifest.unanswered, parked, risk },
    },
    tx,
  )
}

/**
 * Notifies that a batch needs approval: it costs more than may be spent without one, or it was approved and now costs
 * more than was agreed to.
 */
export const notifyBatchWaits = (tools: NotifyContext, batch: Batch, tx?: Sql): Promise<boolean> => {
  const key = `batch.unconfirmed ${batch.id}${batch.startedAt ? ` ${batch.confirmAbove}` : ''}`
  return notifyPeople(tools, { key, about: 'batch.unconfirmed', severity: 'warning', body: factsOf(batch) }, tx)
}

/** What the documents of a batch of analyses risk, as text where a number could lose digits. */
export const totalsAtRisk = async (sql: Sql, { id, kind }: Pick<Batch, 'id' | 'kind'>) => {
  if (kind !== 'analysis') return null
  const { documents, atRisk, atRiskCents } = await readRiskTotals(sql, id)
  return { documents, atRisk, cents: atRiskCents === null ? null : String(atRiskCents) }
}

/** The name of a file may contain a document. */
const factsOf = (batch: Batch) => ({
  batch: Number(batch.id),
  organization: Number(batch.organizationId),
  name: maskDocuments(batch.name),
  kind: batch.kind,
  rows: batch.rows,
  rejected: batch.rejected,
  toBePaid: batch.toBePaid,
  maxSpend: batch.maxSpend,
  spent: batch.spent,
  by: batch.submittedBy === null ? null : maskDocuments(batch.submittedBy),
})
