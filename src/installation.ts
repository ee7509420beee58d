import type { Settings } from '../config/settings.ts'
import type { Account } from './domain/lookup.ts'
import type { Home } from './home/folders.ts'
import type { Logger } from './log/log.ts'
import { createBound } from './registry/bound.ts'
import { createRegistry, type Registry } from './registry/create-registry.ts'
import type { Observe } from './registry/turnstile.ts'
import { startSandboxProcess } from './sandbox/sandbox-process.ts'
import { accounts as sandboxAccounts, credentials as sandboxCredentials } from './sandbox/tokens.ts'
import type { Database } from './store/connect.ts'
import { openVault } from './store/fleet/credentials.ts'
import { freeLanesHeldFor } from './store/fleet/lanes.ts'

/** Settings, folders, and a database whose schema is current: all that must be open before the engine starts. */
export type Installation = { settings: Settings; home: Home; databaseUrl: string; sql: Database; log: Logger }

type Place = AsyncDisposable & {
  url: string
  accounts: readonly Account[]
  credentials: { token: string; refreshToken: string; email: string; username: string }
}

/** Where the registry is: the address of the settings, or the built-in sandbox. */
export const openPlace = async ({ registry, organizations, home }: Settings): Promise<Place> => {
  if (registry) {
    const { url, ...credentials } = registry
    return { url, credentials, accounts: organizations, [Symbol.asyncDispose]: async () => {} }
  }
  const { url, release } = await startSandboxProcess(home)
  const accounts = organizations.length > 0 ? organizations : sandboxAccounts
  return { url, credentials: sandboxCredentials, accounts, [Symbol.asyncDispose]: release }
}

/** The registry at an address, with the fleet's token. Its bound is 0 until the worker has joined the fleet. */
export const openRegistry = async (
  { settings, sql, log }: Installation,
  place: Place,
  now: () => Date = () => new Date(),
  observe?: Observe,
): Promise<AsyncDisposable & { registry: Registry }> => {
  const { url, credentials } = place
  const vault = await openVault(sql, url, credentials)
  if (vault.replaced && (await freeLanesHeldFor(sql, 'token')) > 0) log.info({}, 'new token: lanes resumed')
  const { request, forKind, wire, concurrency } = settings
  const bound = createBound({ ceiling: 0 })
  const registry = createRegistry({
    url,
    credentials,
    vault,
    bound,
    connections: concurrency.worker,
    request,
    forKind,
    radarSort: wire.radarSort,
    scrPlanId: wire.scrPlanId,
    now,
    observe,
  })
  return { registry, [Symbol.asyncDispose]: () => registry.close() }
}
