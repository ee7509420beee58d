import { reaches, type Severity } from '../domain/rule.ts'
import { alertQueue } from '../queue/queues.ts'
import { enqueue } from '../queue/start-jobs.ts'
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
