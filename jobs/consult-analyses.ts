import { isSearched } from '../src/domain/classifications.ts'
import { later, ok } from '../src/domain/outcome.ts'
import { lookupJob } from './tools.ts'

/**
 * Reads the summary of an analysis.
 *
 * The registry answers before its analysis is finished. Waiting is not a failure: the look-up comes back later and uses
 * up none of its retries. While the registry answers at once, that is asked in the turn of the purchase. If the settings wait for the search for protests too, they do so until the deadline.
 */
export const consultAnalyses = lookupJob({
  name: 'consult-analyses',
  kinds: ['analysis'],
  takes: ['waiting'],
  retries: 20,
  isAtOnce: true,

  async each({ remote, question, deadlineAt }, { registry, account, call, settings, now }) {
    const ref = { id: remote!.id, uniqueId: remote!.key ?? '', document: question }
    const { ready, summary, seen, asOf, spreadsheets, fields } = await registry.analyses.consult(ref, account, call)
    if (!ready || !summary) return later({ seen })
    const { protestStatus = null } = fields
    const waits = settings.analysis.waitForProtest && !isSearched(protestStatus) && now < deadlineAt
    if (waits) return later({ seen: `${seen}/${protestStatus}` })
    const data = spreadsheets.full && { data: { spreadsheet: spreadsheets.full } }
    return ok({ summary, ...data, fields }, { asOf, seen })
  },
})
