import type { Ledger } from './ledger.ts'
import type { Registry } from './registry.ts'
import type { Stage } from './stage.ts'

/** The registry with what stands between it and its callers. */
export type FrontDesk = Registry & { readonly ledger: Ledger; readonly stage: Stage }
