import { reaches, type Severity } from '../domain/rule.ts'
import { alertQueue } from '../queue/queues.ts'
import { enqueue } from '../queue/start-jobs.ts'
import type { Sql } from '../store/connect.ts'
import { type Address, insertAlert, insertMessages } from '../store/people/messages.ts'
import type { MonitoringTools } from './monitoring-tools.ts'

/** Something that people outside are told of. No full document may stand in its body. */
type PeopleEvent = {
  key: string
  about: string
  severity: Severity
  body: Record<string, unknown>
  /** Those who hear of everything from this severity on are told of it in another letter. */
  notTo?: Severity
}

export type NotifyContext = Pick<MonitoringTools, 'sql' | 'boss' | 'clock'> & {
  settings: Pick<MonitoringTools['settings'], 'alerts'>
}

/**
 * Tells people of an event: once, however often it is noticed; nobody where no address is set.
 *
 * It is written down for each address, inside the transaction that made it true where there is one, and sent by a job of
 * its own until it is accepted: whoever tells never waits for a receiver.
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

/** Everyone who wants to hear of something so severe. */
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
