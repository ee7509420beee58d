import type { Step, Timeouts } from '../domain/advance.ts'
import type { Kind } from '../domain/kind.ts'
import type { Account } from '../domain/lookup.ts'
import type { LookFirst } from '../purchases/look-first.ts'
import type { Boss } from '../queue/boss.ts'
import type { Admission } from '../registry/admission.ts'
import type { Database, Sql } from '../store/connect.ts'
import type { Latch } from './latches.ts'
import type { AnyLookupJob } from './lookup-job.ts'

type Log = {
  info(facts: object, phrase: string): void
  warn(facts: object, phrase: string): void
  error(facts: object, phrase: string): void
}

/** Everything the look-up engine works with; made once by the composition root. */
export type Engine<Tools = object> = {
  sql: Database
  boss: Boss
  log: Log
  clock: () => Date
  jobs: readonly AnyLookupJob<Tools>[]
  tools: Tools
  accounts: readonly Account[]
  timeouts: (kind: Kind) => Omit<Timeouts, 'retries'>
  /** Looks into the registry's list before anything is bought. */
  lookFirst: LookFirst
  /** Lets look-ups on their way to a call, as many as fit. */
  admit: Admission['admit']
  steps: StepQueue
  latchOf: (lane: { organizationId: number; kind: Kind }) => Latch
  budgetPerDay: number | null
  today: (now: Date) => string
  tomorrow: (now: Date) => Date
  /** Called in the transaction that finished these batches. */
  finished: (tx: Sql, batchIds: bigint[]) => Promise<void>
  /** Something may be due now. */
  wake: () => void
  /** No more work is begun; what is in flight ends by itself. */
  draining: AbortSignal
  /** Patience with what is in flight is over. */
  giveUp: AbortSignal
}

/** A step on its way to the database, and who waits for it. */
export type Written = { step: Step; sentAt: Date | null; isSecondTry?: boolean; done(failure?: unknown): void }

/** The steps of all chunks of this process: they are written together, one group after the other. */
export type StepQueue = {
  waiting: Written[]
  isWriting: boolean
  /** Nobody else is worth waiting for: what waits is written next. */
  isHurried: boolean
  /** Ends the wait for company, where there is one. */
  stopWaiting(): void
  /** How long a turn takes, from its place to its answer, on average. */
  turnMs: number
  /** Batches with rows that ended: each job that ends looks whether they are finished. */
  touched: Set<bigint>
}
