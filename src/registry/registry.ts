import type { Account } from '../domain/lookup.ts'
import type { CallOptions } from './call.ts'
import type { activities } from './endpoints/activities.ts'
import type { analyses } from './endpoints/analyses.ts'
import type { cnh } from './endpoints/cnh.ts'
import type { processes } from './endpoints/processes.ts'
import type { radars } from './endpoints/radars.ts'
import type { scr } from './endpoints/scr.ts'
import type { Turnstile } from './turnstile.ts'

/** The registry as the rest of the house sees it: all 12 operations, in our own words. */
export type Registry = {
  analyses: ReturnType<typeof analyses>
  activities: ReturnType<typeof activities>
  cnh: ReturnType<typeof cnh>
  processes: ReturnType<typeof processes>
  radars: ReturnType<typeof radars>
  scr: ReturnType<typeof scr>
  token: {
    /** Renews the token now, for everyone; calls do so by themselves when they need it. (Interface 4.12) */
    refresh(): Promise<{ generation: number }>
    /** When the last call was begun whose token the registry accepted; null where none was yet. */
    provenAt(): Date | null
    /** Asks with one call that costs nothing whether the registry accepts the token, renewed where it must be. */
    works(account: Account, options?: CallOptions): Promise<boolean>
  }
  /** The one way out; the ceiling of its bound is this process's share of the fleet. */
  turnstile: Turnstile
  /** Waits for what is in flight, then closes the connections. */
  close(): Promise<void>
}
