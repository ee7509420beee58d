import { buyAnalysis } from './operations/analyses.ts'
import { analysesOf, type Registry } from './registry.ts'

/**
 * Makes the purchases of others that the scenario tells of, each once, however often the scenario is told.
 *
 * They stand in the registry's list and use up the plan, but they are no charges of the ledger: that one judges us.
 */
export function buyForOthers(registry: Registry): void {
  for (const { documents, ageMs, organizationId, deleted } of registry.scenario.world.others) {
    for (const document of documents) {
      if (analysesOf(registry.books, organizationId, document).some(({ by }) => by === 'others')) continue
      const at = registry.now() - ageMs
      buyAnalysis(registry, { organizationId, document, at, by: 'others' })
      if (deleted) registry.record({ type: 'deleted', organizationId, document, at: registry.now() })
    }
  }
}
