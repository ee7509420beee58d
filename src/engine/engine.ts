import type { Step, Timeouts } from '../domain/advance.ts'
import type { Kind } from '../domain/kind.ts'
import type { Account, Lookup, OpenState } from '../domain/lookup.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { PurchaseCheck } from '../purchases/check-purchases.ts'
import type { Boss } from '../queue/boss.ts'
import type { Admission } from '../registry/admission.ts'
import type { LaneLatch } from '../registry/call.ts'
import type { Database, Sql } from '../store/connect.ts'
import type { Latch } from './latches.ts'

type Log = {
  info(facts: object, phrase: string): void
  warn(facts: object, phrase: string): void
  error(facts: object, phrase: string): void
}

/** Everything the look-up engine works with. The composition root makes it once. */
export type Engine<Tools = object> = {
  sql: Database
  boss: Boss
  log: Log
  clock: () => Date
  jobs: readonly AnyLookupJob<Tools>[]
  tools: Tools
  accounts: readonly Account[]
  timeouts: (kind: Kind) => Omit<Timeouts, 'retries'>
  /** Checks the registry's purchases before anything is bought. */
  checkPurchases: PurchaseCheck
  /** Admits look-ups to a call, as many as the bound allows. */
  admit: Admission['admit']
  steps: StepQueue
  atOnce: ReturnType<typeof createAtOnce>
  latchOf: (lane: { organizationId: number; kind: Kind }) => Latch
  budgetPerDay: number | null
  today: (now: Date) => string
  tomorrow: (now: Date) => Date
  /** Called in the transaction that finished these batches. */
  finished: (tx: Sql, batchIds: bigint[]) => Promise<void>
  /** Starts a dispatch pass: something may be due. */
  wake: () => void
  /** No more work is begun; calls under way end by themselves. */
  draining: AbortSignal
  /** The time for calls under way to end is over. */
  giveUp: AbortSignal
}

/** A step to be written, and the caller that waits for it. */
export type Written = { step: Step; sentAt: Date | null; isSecondTry?: boolean; done(failure?: unknown): void }

/** The steps of all chunks of this process. They are written in groups, one group after the other. */
export type StepQueue = {
  waiting: Written[]
  isWriting: boolean
  /** No more steps are expected soon: write the next group at once. */
  isHurried: boolean
  /** Ends the batching delay, if there is one. */
  stopWaiting(): void
  /** The average time of a turn, from its place to its answer. */
  turnMs: number
  /** Batches with rows that ended. Each job that ends checks whether they are finished. */
  touched: Set<bigint>
  /** How many look-ups ended since the process started. */
  ended: number
}

/**
 * Whether the next step of a look-up is worth taking in the same turn: while the registry answers it at once. While it does
 * not, that is tried ever more rarely.
 *
 * An answer that took long does not count: until it came, a crash would have left the outcome of the call before it unknown.
 */
export const createAtOnce = () => {
  let gap = 0
  let passed = 0
  return {
    isWorthTrying(): boolean {
      if (passed++ < gap) return false
      passed = 0
      return true
    },
    record(isAnswered: boolean, ms: number): void {
      gap = isAnswered && ms <= longestMs ? 0 : Math.min(gap * 2 + 1, rarest)
    },
  }
}

const longestMs = 1_000
const rarest = 255

/** What a step receives besides the tools of all jobs. */
export type Turn = {
  account: Account
  now: Date
  call: {
    signal: AbortSignal
    /** A call that was not sent soon after its intent must not be sent at all: the intent may already be judged. */
    isTooLate: (() => boolean) | undefined
    latch: LaneLatch
  }
}

/**
 * What happens to **one** look-up. Chunks, the bound, grouped writes and retries belong to the engine.
 *
 * `prepare` runs once per chunk, for what all its look-ups share: one list serves every look-up with an unknown outcome.
 */
export type LookupJob<Tools, Shared = undefined> = {
  name: string
  kinds: readonly Kind[]
  takes: readonly OpenState[]
  /** How many failures in a row are tried again; waiting and refusals do not count. */
  retries: number
  /** A purchase takes this step in the same turn, while the registry answers at once. */
  isAtOnce?: true
  prepare?(lookups: Lookup[], tools: Tools & Turn): Promise<Shared>
  each(lookup: Lookup, tools: Tools & Turn, shared: Shared): Promise<Outcome>
}

export type AnyLookupJob<Tools> = LookupJob<Tools, unknown>

/** Infers the type that `prepare` and `each` of a job share, and drops it for the list of all jobs. */
export const defineLookupJob = <Tools, Shared = undefined>(job: LookupJob<Tools, Shared>): AnyLookupJob<Tools> =>
  job as AnyLookupJob<Tools>

/** The job that takes the next step of a look-up. */
export const jobFor = <Tools>(
  jobs: readonly AnyLookupJob<Tools>[],
  { kind, state }: { kind: Kind; state: OpenState },
): AnyLookupJob<Tools> => {
  const job = jobs.find((candidate) => candidate.kinds.includes(kind) && candidate.takes.includes(state))
  if (!job) throw new Error(`No job takes a ${state} look-up of kind ${kind}`)
  return job
}
