import { judgedAfterMs, listedAfterMs } from '../src/domain/advance.ts'
import { judge, type LostCall } from '../src/domain/judge.ts'
import { intentKinds } from '../src/domain/kind.ts'
import type { Lookup } from '../src/domain/lookup.ts'
import { absent, adopted, type Outcome, undecided, unproven } from '../src/domain/outcome.ts'
import { type Evidence, gatherEvidence } from '../src/purchases/evidence.ts'
import { lookupJob, type Tools } from './tools.ts'

/**
 * Finds out whether calls whose answer was lost bought anything.
 *
 * They are judged only after their own deadline, when nothing can still be on its way. A listed purchase of the document
 * that no look-up owns is adopted. If two lists prove that there is none, it is sent again; a refusal stands after one.
 * Anything else is parked for a person.
 */
export const reconcileSendings = lookupJob<Evidence>({
  name: 'reconcile-sendings',
  kinds: intentKinds,
  takes: ['sending'],
  retries: 1_000_000,

  prepare: (lookups, { account, call, ...tools }) => gatherEvidence(tools, account, lookups, call),

  async each(lookup, { settings }, { purchases, radars, list, before }): Promise<Outcome> {
    if (radars.has(lookup.question)) return adopted(null, 'listed')
    const verdict = judge(purchases.get(lookup.question) ?? [], lostCall(lookup, before, settings), list)
    switch (verdict.is) {
      case 'ours':
        return adopted(verdict.remote, verdict.seen, verdict.isCertain ? 'yes' : 'unknown')
      case 'absent':
        return absent(verdict.until)
      case 'wait':
        return unproven(verdict.reason, verdict.until)
      case 'park':
        return undecided(verdict.reason)
    }
  },
})

const lostCall = (
  { kind, sendingAt, listSnapshotId, refusedAs, unlistedAt }: Lookup,
  before: Evidence['before'],
  { forKind }: Tools['settings'],
): LostCall => {
  const terms = forKind[kind]
  const after = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms)
  const isRefused = refusedAs !== null
  return {
    sentAt: sendingAt!,
    listSnapshotId,
    wasComplete: listSnapshotId !== null && (before.get(listSnapshotId) ?? false),
    isRefused,
    endedAt: isRefused ? unlistedAt! : after(sendingAt!, judgedAfterMs(terms.request.timeout)),
    listedAt: isRefused ? after(unlistedAt!, terms.purchases.listLag) : after(sendingAt!, listedAfterMs(terms)),
  }
}
