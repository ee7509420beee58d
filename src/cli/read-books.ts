import type { Account } from '../domain/account.ts'
import type { Kind } from '../domain/kind.ts'
import { refreshBooks } from '../purchases/look-first.ts'
import { latestReading } from '../store/readings.ts'
import { openPlace, openRegistry } from '../worker.ts'
import type { Opened } from './open.ts'

/** What is known of what the organization bought elsewhere: since when, whether all of it, and why not. */
export type Books = { readAt: string | null; complete: boolean; problem: string | null }

/**
 * Reads the registry's list where nobody has for some minutes, so that a quote knows what was bought elsewhere. It costs
 * nothing, and a list that cannot be read now is said in the quote and stops nobody. Null: this kind has no list.
 */
export async function readBooks(
  opened: Opened,
  account: Account,
  kind: Kind,
  signal: AbortSignal,
): Promise<Books | null> {
  const { purchases } = opened.settings.forKind[kind]
  if (kind !== 'analysis' || !purchases.adopt) return null
  const lane = { organizationId: account.organizationId, kind }
  const known = await latestReading(opened.sql, lane)
  const isYoung = known !== null && known.beganAt.getTime() > Date.now() - purchases.maxAge
  const problem = isYoung ? null : await readNow(opened, account, kind, signal)
  const latest = await latestReading(opened.sql, lane)
  return { readAt: latest?.beganAt.toISOString() ?? null, complete: latest?.complete ?? false, problem }
}

async function readNow(opened: Opened, account: Account, kind: Kind, signal: AbortSignal): Promise<string | null> {
  const { sql, settings } = opened
  await using place = await openPlace(settings)
  await using open = await openRegistry(opened, place)
  const { registry } = open
  registry.bound.ceiling = 1
  const patience = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  const keeping = { sql, registry, clock: () => new Date(), forKind: settings.forKind }
  const outcome = await refreshBooks(keeping, account, kind, patience)
  return typeof outcome === 'object' ? outcome.message : null
}

/** Whoever asks for a quote waits no longer than this for the list. */
const longestMs = 20_000
