import { freshSinceOf } from '../src/domain/duration.ts'
import { documentOf, type Lookup } from '../src/domain/lookup.ts'
import { accepted } from '../src/domain/outcome.ts'
import { recordContradiction } from '../src/store/purchases/purchases.ts'
import { lookupJob, type Tools } from './tools.ts'

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

  async each(lookup, tools) {
    const { registry, account, call } = tools
    const { id, uniqueId, fields } = await registry.analyses.generate(documentOf(lookup), account, call)
    if (fields.previousId !== null && fields.previousId !== id) await compare(lookup, fields.previousId, tools)
    return accepted({ id, key: uniqueId }, null, fields)
  },
})

/** The purchase is made: whatever happens here, its answer counts. */
const compare = async (lookup: Lookup, previousId: string, { sql, settings, clock, log }: Tools): Promise<void> => {
  const now = clock()
  const freshSince = freshSinceOf(settings.forKind.analysis, now)
  const facts = { lookup: String(lookup.id), organization: lookup.organizationId, previous: previousId }
  try {
    if (await recordContradiction(sql, lookup, previousId, { freshSince, now }))
      log.warn(facts, 'bought although the organization owned another analysis')
  } catch (err) {
    log.error({ ...facts, err }, 'could not record that the registry contradicts the purchase ledger')
  }
}
