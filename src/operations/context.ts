import type { Steering } from '../batches/pause-resume-cancel.ts'
import type { PurposeTerms } from '../batches/purpose.ts'
import type { ListedPurchases } from '../batches/resolve.ts'
import type { UnitPrices } from '../domain/amount.ts'
import type { Kind } from '../domain/kind.ts'
import type { Rule } from '../domain/rule.ts'
import type { MonitoringTools } from '../monitoring/monitoring-tools.ts'
import type { Database } from '../store/connect.ts'
import type { Role } from '../store/people/operators.ts'
import type { SweepName } from '../store/radars/sweeps.ts'
import type { SweepQuote } from '../views/sweep-preview.ts'

/** What an operation works with: who acts, and the installation, limited to the organizations of that person. */
export type Context = {
  by: string
  role: Role
  sql: Database
  clock: () => Date
  settings: OperationSettings
  home: MonitoringTools['home']
  accounts: readonly { organizationId: number }[]
  /** Shows documents in full: only on the command line, whose caller has the database. */
  unmasked?: boolean
  /** The registry's list of purchases; needed to adopt a parked purchase. */
  purchases: ListedPurchases
  /** How much a recurring task would buy now, at most; it reads the registry's list. */
  quoteSweep: (name: SweepName) => Promise<SweepQuote>
  /** Opens the queues, for what enqueues jobs. */
  queues: () => Promise<MonitoringTools['boss']>
  /** Called in the transaction that finished these batches. */
  finished: Steering['finished']
  /** Called when something may be due now. */
  wake: () => void
}

/** What operations need of the settings. */
export type OperationSettings = Pick<MonitoringTools['settings'], 'alerts'> & {
  timezone: string
  forKind: Record<
    Kind,
    { polling: { first: number; deadline: number }; freshness: number; purchases: { adopt: boolean } }
  >
  budget: { perDay: number | null; perBatch: number | null; unitPrice: UnitPrices | null }
  retention: { batches: number; lookups: number }
  rules: readonly Rule[]
  purpose: PurposeTerms
}
