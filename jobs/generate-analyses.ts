import { documentOf } from '../src/domain/lookup.ts'
import { accepted } from '../src/domain/outcome.ts'
import { lookupJob } from './tools.ts'

/**
 * Buys the analysis of a document.
 *
 * The intent is on record before this runs, and the call is sent at most once: a lost answer is left
 * to `reconcile-sendings`, never asked again blindly.
 */
export const generateAnalyses = lookupJob({
  name: 'generate-analyses',
  kinds: ['analysis'],
  takes: ['queued'],
  retries: 5,

  async each(lookup, { registry, account, call }) {
    const { id, uniqueId } = await registry.analyses.generate(documentOf(lookup), account, call)
    return accepted({ id, key: uniqueId })
  },
})
