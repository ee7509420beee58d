import type { Settings } from '../../config/settings.ts'
import type { Account } from '../domain/account.ts'
import { accounts as sandboxAccounts } from '../sandbox/identity.ts'
import { UsageError } from './usage-error.ts'

/** The organizations of the settings, or the sandbox's own; nothing is started to know them. */
export function organizationsOf({ registry, organizations }: Settings): readonly Account[] {
  return registry || organizations.length > 0 ? organizations : sandboxAccounts
}

/** The organization that was asked for, or the first one. */
export function chooseOrganization(settings: Settings, wanted: number | undefined): Account {
  const known = organizationsOf(settings)
  const chosen = wanted === undefined ? known[0] : known.find(({ organizationId }) => organizationId === wanted)
  if (chosen) return chosen
  const listed = known.map(({ organizationId }) => organizationId).join(', ') || 'none'
  throw new UsageError(`--organization ${wanted ?? ''} is not in the settings; known: ${listed}`)
}
