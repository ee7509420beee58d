import type { Readable } from 'node:stream'
import type { Registry } from '@prometheus-io/client'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../../config/settings.ts'
import type { Steering } from '../../batches/pause-resume-cancel.ts'
import type { Account } from '../../domain/lookup.ts'
import type { MonitoringTools } from '../../monitoring/monitoring-tools.ts'
import type { Context } from '../../operations/operation.ts'
import type { SpreadsheetRow } from '../../store/batches/results.ts'
import type { Role } from '../../store/people/operators.ts'

/** What the page needs of the settings. */
export type WebSettings = Context['settings'] &
  Pick<Settings, 'concurrency' | 'language' | 'radarSweep' | 'scr' | 'sweeps' | 'web'> & {
    /** Null: the sandbox that comes with Vigia. */
    registry: object | null
  }

/**
 * What a request may work with: everything, or only the organizations of its visitor. Pages and routes get this instead of
 * a `Site`, so none of them can reach anything else.
 */
export type SiteFor = (request: Pick<FastifyRequest, 'visitor'>) => Site

/** What a page or an API route works with. */
export type Site = Pick<MonitoringTools, 'sql' | 'boss' | 'clock' | 'home'> & {
  log: Omit<MonitoringTools['log'], 'debug'>
  accounts: readonly (Account & { name?: string })[]
  /** Called in the transaction that finished these batches. */
  finished: Steering['finished']
  /** Called when something may be due now. */
  wake: () => void
  /** Aborted when the worker starts no more work and waits for what is in flight. */
  draining: AbortSignal
  settings: WebSettings
  /** When a recurring task runs next; null if that is not known. */
  nextRun: (name: string) => Date | null
  purchases: Context['purchases']
  quoteSweep: Context['quoteSweep']
  /** The registry's spreadsheet of an analysis; rejects if it is not available. */
  openSpreadsheet: (row: Omit<SpreadsheetRow, 'line' | 'part'>) => Promise<Readable>
  /** Encrypts documents into addresses. */
  secret: Buffer
  /** Durations and outcomes of the calls to the registry, for `/metrics`, which counts refusals there too. */
  registryFigures: { metrics: Registry }
  /** The sign-in link in the terminal: it works once, for some minutes. */
  link: { use(secret: string, now: Date): boolean } | null
}

/** What an operation of a visitor works with. */
export const contextOf = (site: Site, { name, role }: { name: string; role: Role }) => ({
  ...site,
  queues: async () => site.boss,
  by: name,
  role,
})

/** Whether the browser uses https, with us or with the first proxy: each proxy appends its own protocol. */
export const isSecure = ({ protocol, headers }: FastifyRequest): boolean => {
  const [first = ''] = String(headers['x-forwarded-proto'] ?? '').split(',')
  return protocol === 'https' || first.trim().toLowerCase() === 'https'
}
