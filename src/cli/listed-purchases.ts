import type { ListedPurchases } from '../batches/resolve.ts'
import { openPlace, openRegistry } from '../worker.ts'
import type { Opened } from './open.ts'
import { chooseOrganization } from './organization.ts'

/** Asks the registry itself what was bought of a document; it is opened for this one question. (Interface 4.3, 4.6) */
export const listedPurchases =
  (opened: Opened): ListedPurchases =>
  async ({ organizationId, kind }, document) => {
    const account = chooseOrganization(opened.settings, organizationId)
    await using place = await openPlace(opened.settings)
    await using open = await openRegistry(opened, place)
    const { registry } = open
    registry.bound.ceiling = 1
    if (kind === 'cnh') {
      const latest = await registry.cnh.latest(document, account)
      return latest ? [{ id: latest.requestId, key: null }] : []
    }
    const { analyses } = await registry.activities.list(account)
    return analyses
      .filter((analysis) => analysis.document === document.number)
      .map(({ id, uniqueId }) => ({ id, key: uniqueId }))
  }
