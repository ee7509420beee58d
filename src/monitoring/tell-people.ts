import type { Severity } from '../domain/rule.ts'
import { alertQueue } from '../queue/queues.ts'
import { enqueue } from '../queue/start-jobs.ts'
import type { Sql } from '../store/connect.ts'
import { type Address, insertAlert, insertMessages } from '../store/people/messages.ts'
import type { MonitoringTools } from './monitoring-tools.ts'

/** Something that people outside are told of. No full document may stand in its body. */
export type PeopleEvent = { key: string; about: string; severity: Severity; body: Record<string, unknown> }

export type Telling = Pick<MonitoringTools, 'sql' | 'boss' | 'clock'> & {
  settings: Pick<MonitoringTools['settings'], 'alerts'>
}

/**
 * Tells people of an event: once, however often it is noticed; nobody where no address is set.
 *
 * It is written down for each address, inside the transaction that made it true where there is one, and sent by a job of
 * its own until it is accepted: whoever tells never waits for a receiver.
 */
export const tellPeople = async (tools: Telling, event: PeopleEvent, tx?: Sql): Promise<boolean> => {
  const to = addressesOf(tools.settings.alerts)
  if (to.length === 0) return false
  const write = async (sql: Sql): Promise<boolean> => {
    const now = tools.clock()
    const alertId = await insertAlert(sql, { ...event, now })
    if (alertId === null) return false
    for (const messageId of await insertMessages(sql, alertId, to, now))
      await enqueue(tools.boss, alertQueue, { messageId }, sql)
    return true
  }
  return tx ? write(tx) : tools.sql.begin(write)
}

const addressesOf = ({ webhook }: MonitoringTools['settings']['alerts']): Address[] =>
  webhook ? [{ channel: 'webhook', address: 'alerts.webhook' }] : []
