import type { Account } from '../domain/lookup.ts'
import type { Home } from '../home/folders.ts'
import type { Boss } from '../queue/boss.ts'
import { alertQueue } from '../queue/queues.ts'
import { enqueue } from '../queue/start-jobs.ts'
import type { Database, Sql } from '../store/connect.ts'
import { insertAlert } from '../store/radars/sweeps.ts'

/** A radar as the registry's list tells it. (Interface 4.9) */
export type RegistryRadar = {
  linkId: string
  id: string
  document: string
  name: string
  active: boolean | null
  createdAt: Date | null
  customerType: string | null
}

type PerKind = { polling: { deadline: number } }

/** What monitoring works with; the tools of every job are more than enough. */
export type MonitoringTools = {
  sql: Database
  boss: Boss
  home: Home
  clock: () => Date
  accounts: readonly Account[]
  registry: {
    radars: {
      list(
        account: Account,
        options?: { signal?: AbortSignal },
      ): Promise<{ complete: boolean; radars: RegistryRadar[] }>
    }
  }
  settings: {
    timezone: string
    radarSweep: { refresh: 'processes' | 'none'; analysisEvery: number | null }
    budget: { perBatch: number | null }
    forKind: { processes: PerKind; analysis: PerKind }
    alerts: { webhook: string | null }
  }
  log: {
    debug(facts: object, phrase: string): void
    info(facts: object, phrase: string): void
    warn(facts: object, phrase: string): void
    error(facts: object, phrase: string): void
  }
}

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
