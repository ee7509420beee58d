import type { Settings } from '../../config/settings.ts'
import type { ListFigures } from '../domain/judge.ts'
import type { Account } from '../domain/lookup.ts'
import type { Home } from '../home/folders.ts'
import type { Boss } from '../queue/boss.ts'
import type { Database } from '../store/connect.ts'
import type { ListedTotals } from '../store/radars/free-figures.ts'

/** A radar in the registry's list. (Interface 4.9) */
export type RegistryRadar = {
  linkId: string
  id: string
  document: string
  name: string
  active: boolean | null
  createdAt: Date | null
  customerType: string | null
  processedAt?: Date | null
  listed?: Record<string, unknown> | null
}

/** What monitoring needs; every job provides it. */
export type MonitoringTools = {
  sql: Database
  boss: Boss
  home: Home
  clock: () => Date
  accounts: readonly Account[]
  registry: {
    radars: {
      list(
        account: Account,
        options?: { signal?: AbortSignal },
      ): Promise<{ complete: boolean; radars: RegistryRadar[] }>
    }
    activities: {
      read(
        account: Account,
        open: () => (activities: { consumption: ListedTotals }[]) => Promise<void>,
        options?: { signal?: AbortSignal },
      ): Promise<ListFigures>
    }
  }
  settings: Settings
  log: {
    debug(facts: object, phrase: string): void
    info(facts: object, phrase: string): void
    warn(facts: object, phrase: string): void
    error(facts: object, phrase: string): void
  }
}
