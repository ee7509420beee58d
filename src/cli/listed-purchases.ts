import type { ListedPurchases } from '../batches/resolve.ts'
import type { Account } from '../domain/lookup.ts'
import { openPlace, openRegistry } from '../installation.ts'
import type { Registry } from '../registry/registry.ts'
import type { OpenInstallation } from './open.ts'

/** The purchases of a document that the registry lists. (Interface 4.3, 4.6) */
export const purchasesAt =
  (registry: Registry, accounts: readonly Account[]): ListedPurchases =>
  async ({ organizationId, kind }, document) => {
    const account = accounts.find((each) => each.organizationId === organizationId)
    if (!account) return []
    if (kind === 'cnh') {
      const latest = await registry.cnh.latest(document, account)
      return latest ? [{ id: latest.requestId, key: null }] : []
    }
    const { analyses } = await registry.activities.list(account)
    return analyses
      .filter((analysis) => analysis.document === document.number)
      .map(({ id, uniqueId }) => ({ id, key: uniqueId }))
  }

/** The same without an engine: the registry is opened for this one call. */
export const listedPurchases =
  (opened: OpenInstallation): ListedPurchases =>
  async (lane, document) => {
    await using place = await openPlace(opened.settings)
    await using open = await openRegistry(opened, place)
    open.registry.turnstile.bound.ceiling = 1
    // Awaited here: the registry is closed when this function ends.
    return await purchasesAt(open.registry, place.accounts)(lane, document)
  }
