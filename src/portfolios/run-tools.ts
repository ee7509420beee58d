import type { MonitoringTools } from '../monitoring/monitoring-tools.ts'

/** What the runs of portfolios work with; the tools of every job are more than enough. */
export type RunTools = Pick<MonitoringTools, 'sql' | 'boss' | 'clock' | 'home' | 'log'> & {
  settings: Pick<MonitoringTools['settings'], 'timezone' | 'rules' | 'alerts'> & {
    budget: { perBatch: number | null; confirmAbove: number | null }
  }
}
