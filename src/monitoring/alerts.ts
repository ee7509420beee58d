import { enqueue } from '../queue/start-jobs.ts'
import { insertAlert } from '../store/alerts.ts'
import type { Sql } from '../store/connect.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import { alertQueue } from './queues.ts'

/**
 * One word to people outside, by webhook; nothing where none is set.
 *
 * It is written down and sent by a job of its own, until it is taken: whoever alerts never waits for the receiver.
 * Nothing in the body may be a full document.
 */
export const sendAlert = async (
  tools: Pick<MonitoringTools, 'sql' | 'boss' | 'clock'> & { settings: Pick<MonitoringTools['settings'], 'alerts'> },
  about: string,
  body: Record<string, unknown>,
  tx?: Sql,
): Promise<void> => {
  if (!tools.settings.alerts.webhook) return
  const write = async (sql: Sql) => {
    const alertId = await insertAlert(sql, { about, body, now: tools.clock() })
    await enqueue(tools.boss, alertQueue, { alertId }, sql)
  }
  await (tx ? write(tx) : tools.sql.begin(write))
}
