import { later, ok } from '../src/domain/outcome.ts'
import { lookupJob } from './tools.ts'

/**
 * Reads the summary of an analysis.
 *
 * The registry answers before its analysis is finished. Waiting is not a failure:
 * the look-up comes back later and uses up none of its retries.
 */
export const consultAnalyses = lookupJob({
  name: 'consult-analyses',
  kinds: ['analysis'],
  takes: ['waiting'],
  retries: 20,

  async each({ remote, question }, { registry, account, call }) {
    const ref = { id: remote!.id, uniqueId: remote!.key ?? '', document: question }
    const { ready, summary, seen, asOf, spreadsheets, fields } = await registry.analyses.consult(ref, account, call)
    if (!ready || !summary) return later({ seen })
    const data = spreadsheets.full && { data: { spreadsheet: spreadsheets.full } }
    return ok({ summary, ...data, fields }, { asOf, seen })
  },
})
