import type { Kind } from '../domain/kind.ts'
import type { Account, Lookup, OpenState } from '../domain/lookup.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { LaneLatch } from '../registry/call.ts'

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
