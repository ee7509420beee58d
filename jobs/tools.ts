import type { Settings } from '../config/settings.ts'
import type { Account } from '../src/domain/lookup.ts'
import { type AnyLookupJob, defineLookupJob, type LookupJob } from '../src/engine/engine.ts'
import type { Home } from '../src/home/folders.ts'
import type { Boss } from '../src/queue/boss.ts'
import type { Job } from '../src/queue/start-jobs.ts'
import type { Registry } from '../src/registry/create-registry.ts'
import type { Database } from '../src/store/connect.ts'

type Log = Record<'debug' | 'info' | 'warn' | 'error', (facts: object, phrase: string) => void>

/** What every job works with. The composition root makes it once. */
export type Tools = {
  sql: Database
  boss: Boss
  registry: Registry
  /** The organizations of the settings, with what a call needs to name them. */
  accounts: readonly Account[]
  settings: Settings
  home: Home
  clock: () => Date
  log: Log
}

export const lookupJob = <Shared = undefined>(job: LookupJob<Tools, Shared>): AnyLookupJob<Tools> =>
  defineLookupJob<Tools, Shared>(job)

export const job = <Payload extends object>(definition: Job<Tools, Payload>): Job<Tools, Payload> => definition
