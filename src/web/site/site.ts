import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Steering } from '../../batches/pause-resume-cancel.ts'
import type { ListedPurchases } from '../../batches/resolve.ts'
import type { UnitPrices } from '../../domain/amount.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Language } from '../../domain/languages.ts'
import type { Account } from '../../domain/lookup.ts'
import type { Rule } from '../../domain/rule.ts'
import type { MonitoringTools } from '../../monitoring/monitoring-tools.ts'
import type { SpreadsheetRow } from '../../store/batches/results.ts'
import type { SweepName } from '../../store/radars/sweeps.ts'
import type { SweepQuote } from '../../views/sweep-preview.ts'

/** What the page needs of the engine that it steers. */
export type Steered = Pick<MonitoringTools, 'sql' | 'boss' | 'clock'> & {
  log: Omit<MonitoringTools['log'], 'debug'>
  accounts: readonly (Account & { name?: string })[]
  today: (now: Date) => string
  /** Called in the transaction that finished these batches. */
  finished: Steering['finished']
  /** Something may be due now. */
  wake: () => void
  /** No more work is begun; what is in flight ends by itself. */
  draining: AbortSignal
}

/** What the page needs of the settings. */
export type WebSettings = {
  timezone: string
  language: Language
  /** Null: the sandbox that comes with Vigia. */
  registry: object | null
  concurrency: { fleet: number; worker: number }
  forKind: Record<
    Kind,
    { polling: { first: number; deadline: number }; freshness: number; purchases: { adopt: boolean } }
  >
  budget: { perDay: number | null; perBatch: number | null; unitPrice: UnitPrices | null }
  retention: { batches: number; lookups: number }
  sweeps: Record<string, string | null>
  rules: readonly Rule[]
  radarSweep: { businessDaysOnly: boolean }
  web: { host: string; port: number; loopback: boolean; maxUploadBytes: number }
}

/** When a recurring task runs next; null where nobody can tell. */
export type NextRun = (name: string) => Date | null

/** What a recurring task would buy now, at most; it asks the registry for its list. */
export type QuoteSweep = (name: SweepName) => Promise<SweepQuote>

/** The spreadsheet that the registry made of an analysis; rejects where it cannot be had. */
export type OpenSpreadsheet = (row: Omit<SpreadsheetRow, 'line'>) => Promise<Readable>

/**
 * What a request may work with: everything, or only the organizations that its visitor is bound to. Pages and routes get
 * this and no `Site`, so none of them can reach what the visitor may not.
 */
export type SiteFor = (request: Pick<FastifyRequest, 'visitor'>) => Site

/** What a page or an API route works with. */
export type Site = {
  engine: Steered
  settings: WebSettings
  home: MonitoringTools['home']
  nextRun: NextRun
  purchases: ListedPurchases
  quoteSweep: QuoteSweep
  openSpreadsheet: OpenSpreadsheet
  /** What the calls to the registry took, for `/metrics`. */
  registryFigures: { describe(): Promise<string> }
  /** The link that the terminal shows: good for one visitor, for some minutes. */
  link: { use(secret: string, now: Date): boolean } | null
}
