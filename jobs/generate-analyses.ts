import { documentOf } from '../src/domain/lookup.ts'
import { accepted } from '../src/domain/outcome.ts'
import { lookupJob } from './tools.ts'

/**
 * Buys the analysis of a document.
 *
 * The intent is recorded before this runs, and the call is sent at most once. If the answer is lost,
 * `reconcile-sendings` finds out what happened; the call is never repeated without that.
 */
export const generateAnalyses = lookupJob({
  name: 'generate-analyses',
  kinds: ['analysis'],
  takes: ['queued'],
  retries: 5,

  async each(lookup, { registry, account, call }) {
    const { id, uniqueId, fields } = await registry.analyses.generate(documentOf(lookup), account, call)
    return accepted({ id, key: uniqueId }, null, fields)
  },
})
