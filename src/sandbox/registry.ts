import type { Epoch } from './data/risk.ts'
import type { Exchange } from './ledger.ts'
import type { Happening, SandboxRecords } from './records.ts'
import type { Scenario } from './scenario.ts'

/** What an operation works with. */
export type SandboxInternals = {
  readonly seed: number
  readonly now: () => number
  readonly scenario: Scenario
  readonly records: SandboxRecords
  readonly readyAfterMs: number
  /** The base address of its spreadsheets; known once it listens. */
  readonly files: { url: string }
  /** Writes a happening to the journal and the records, before the answer is sent. */
  record(happening: Happening): void
}

export type Reply = { status: number; body: unknown; headers?: Record<string, string> }

/** One request as an operation receives it: its validated body, and the caller. */
export type Order = {
  exchange: Exchange
  params: Record<string, string>
  query: string
  body: unknown
  stuck: boolean
  email: string | null
}

export type Work = (call: Order, registry: SandboxInternals) => Reply

export const epochOf = (registry: SandboxInternals): Epoch => ({
  seed: registry.seed,
  day: registry.records.day,
  changeShare: registry.scenario.changeShare,
})

/** How far an asynchronous request has come, from 0 to 1 (ready). */
export const progressOf = (registry: SandboxInternals, started: { at: number; stuck: boolean }): number => {
  if (started.stuck) return 0.5
  return registry.readyAfterMs === 0 ? 1 : Math.min(1, (registry.now() - started.at) / registry.readyAfterMs)
}
