import type { Steering } from '../batches/pause-resume-cancel.ts'
import type { PurposeTerms } from '../batches/purpose.ts'
import type { ListedPurchases } from '../batches/resolve.ts'
import type { Submission, Submitted } from '../batches/submit.ts'
import type { UnitPrices } from '../domain/amount.ts'
import type { Kind } from '../domain/kind.ts'
import type { Rule } from '../domain/rule.ts'
import type { Database } from '../store/connect.ts'
import type { Role } from '../store/people/operators.ts'

/** What an operation works with: who acts, and the installation, limited to the organizations of that person. */
export type Context = {
  by: string
  role: Role
  sql: Database
  clock: () => Date
  settings: OperationSettings
  accounts: readonly { organizationId: number }[]
  /** The registry's list of purchases; needed to adopt a parked purchase. */
  purchases: ListedPurchases
  /** Makes a batch of a file. */
  submit: (submission: Submission) => Promise<Submitted>
  /** Called in the transaction that finished these batches. */
  finished: Steering['finished']
  /** Called when something may be due now. */
  wake: () => void
}

/** What operations need of the settings. */
export type OperationSettings = {
  timezone: string
  forKind: Record<
    Kind,
    { polling: { first: number; deadline: number }; freshness: number; purchases: { adopt: boolean } }
  >
  budget: { perDay: number | null; perBatch: number | null; unitPrice: UnitPrices | null }
  rules: readonly Rule[]
  purpose: PurposeTerms
}
