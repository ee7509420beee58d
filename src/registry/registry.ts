import type { Account } from '../domain/lookup.ts'
import type { CallOptions } from './call.ts'
import type { activities } from './endpoints/activities.ts'
import type { analyses } from './endpoints/analyses.ts'
import type { cnh } from './endpoints/cnh.ts'
import type { processes } from './endpoints/processes.ts'
import type { radars } from './endpoints/radars.ts'
import type { scr } from './endpoints/scr.ts'
import type { Turnstile } from './turnstile.ts'

/** The registry as the rest of the code sees it: all 12 operations, in the terms of `src/domain`. */
export type Registry = {
  analyses: ReturnType<typeof analyses>
  activities: ReturnType<typeof activities>
  cnh: ReturnType<typeof cnh>
  processes: ReturnType<typeof processes>
  radars: ReturnType<typeof radars>
  scr: ReturnType<typeof scr>
  token: {
    /** Renews the token now, for all workers; calls do so by themselves when they need it. (Interface 4.12) */
    refresh(): Promise<{ generation: number }>
    /** When the last call was started whose token the registry accepted; null where none was yet. */
    provenAt(): Date | null
    /** Checks with one free call that the registry accepts the token, renewed if necessary. */
    works(account: Account, options?: CallOptions): Promise<boolean>
  }
  /** The only way to the registry; the ceiling of its bound is this process's share of the fleet. */
  turnstile: Turnstile
  /** Waits for the calls in flight, then closes the connections. */
  close(): Promise<void>
}
