import { listedAfterMs } from '../src/domain/advance.ts'
import { intentKinds } from '../src/domain/kind.ts'
import type { Lookup } from '../src/domain/lookup.ts'
import { absent, adopted, type Outcome, undecided, unproven } from '../src/domain/outcome.ts'
import { judgePurchase } from '../src/domain/purchase.ts'
import { type Evidence, gatherEvidence } from '../src/purchases/evidence.ts'
import { lookupJob, type Tools } from './tools.ts'

/**
 * Finds out what became of calls whose answer was lost.
 *
 * They are judged only after their own deadline, so nothing can still be on its way. A listed purchase of the document
 * that no look-up owns is adopted, unless it is proven older. What two complete lists do not show, the second late
 * enough, is sent again; a refusal stands once one list does not show it. Anything else is parked for a person.
 */
export const reconcileSendings = lookupJob<Evidence>({
  name: 'reconcile-sendings',
  kinds: intentKinds,
  takes: ['sending'],
  retries: 1_000_000,

  prepare: (lookups, { account, call, ...tools }) => gatherEvidence(tools, account, lookups, call),

  async each(lookup, { settings }, evidence): Promise<Outcome> {
    const { purchases, radars, snapshot, willGrow } = evidence
    if (radars.has(lookup.question)) return adopted(null, 'listed')
    const verdict = judgePurchase(purchases.get(lookup.question) ?? [], lostCall(lookup, evidence))
    if (verdict.is === 'ours') return adopted(verdict.remote, verdict.seen, verdict.isCertain ? 'yes' : 'unknown')
    const lateAt = notLateBefore(lookup, settings, snapshot)
    if (verdict.is === 'unclear') return lateAt ? unproven(verdict.reason, lateAt) : undecided(verdict.reason)
    const shownAt = willGrow && !snapshot.cut ? grownAt(settings, snapshot) : lateAt
    if (verdict.is === 'hidden') return unproven(verdict.reason, shownAt)
    if (evidence.deniesSome) return unproven(['lost_denied'], lateAt)
    if (lookup.refusedAs) return provesRefusal(lookup, snapshot) ? absent(lateAt) : unproven(['lost_unproven'], shownAt)
    if (!snapshot.complete || mayBePage(lookup, settings, evidence)) return unproven(['lost_unproven'], shownAt)
    return absent(lateAt ?? unvouchedUntil(lookup, settings, evidence))
  },
})

/** What is known of a call whose answer was lost, and of the lists before it and since. */
const lostCall = ({ listSnapshotId, sendingAt }: Lookup, { before, snapshot, dating }: Evidence) => {
  const list = listSnapshotId === null ? undefined : before.get(listSnapshotId)
  return {
    sentAt: sendingAt!,
    listSnapshotId,
    wasCompleteBefore: (list?.complete && !list.pageSized) ?? false,
    wasCutBefore: list?.cut ?? false,
    isListCut: snapshot.cut || snapshot.pageSized,
    dating,
  }
}

/**
 * From when on a list would show the call, had it been worked: its deadline, or the refusal that ended it, and the lag of
 * the list later. Null: this one would. A younger purchase in sight proves nothing: each may come into it at its own time.
 */
const notLateBefore = (
  { kind, sendingAt, refusedAs, unlistedAt }: Lookup,
  { forKind }: Tools['settings'],
  { beganAt }: Evidence['snapshot'],
): Date | null => {
  const terms = forKind[kind]
  const lateAt = new Date(
    refusedAs ? unlistedAt!.getTime() + terms.purchases.listLag : sendingAt!.getTime() + listedAfterMs(terms),
  )
  return beganAt >= lateAt ? null : lateAt
}

/** With the registry's own refusal a list is proof enough that shows all of ours, or one that was bought after the call. */
const provesRefusal = ({ sendingAt }: Lookup, { complete, youngestAt }: Evidence['snapshot']): boolean =>
  complete || (youngestAt !== null && youngestAt > sendingAt!)

/**
 * Purchases of ours that were made after the call must be in the list, one of them at least, before it proves anything:
 * until then it is read again. Either one comes into sight, or they prove that the list is not whole. Null: it is vouched
 * for, or there is nothing that could, and nobody is free to buy more.
 */
const unvouchedUntil = (
  { sendingAt }: Lookup,
  settings: Tools['settings'],
  { snapshot, willGrow, isHeld }: Evidence,
): Date | null => {
  const isLater = (moment: Date | null) => moment !== null && moment >= sendingAt!
  if (isLater(snapshot.youngestAt) || !(isLater(snapshot.awaitedAt) || (willGrow && !isHeld))) return null
  return grownAt(settings, snapshot)
}

/**
 * When to look again at a list that proves nothing yet, while more is bought. One that is as long as a page: longer, it is
 * none; as long, it lacks some. One that shows none of ours: it shows the next, or lacks it.
 */
const grownAt = ({ forKind }: Tools['settings'], { beganAt }: Evidence['snapshot']): Date =>
  new Date(beganAt.getTime() + forKind.analysis.purchases.listLag)

/**
 * A list as long as pages are made may be one, and then nobody knows where it ends: by what its items are ordered is not
 * shown, and one of them may hold purchases of several years. It confirms an earlier list that surely showed everything
 * and lacked the call too, though it was late enough and showed a later purchase of ours.
 */
const mayBePage = (lookup: Lookup, settings: Tools['settings'], { snapshot, lastComplete }: Evidence): boolean => {
  if (!snapshot.pageSized) return false
  if (
    !lastComplete ||
    lastComplete.id <= (lookup.listSnapshotId ?? 0n) ||
    notLateBefore(lookup, settings, lastComplete)
  )
    return true
  return lastComplete.youngestAt === null || lastComplete.youngestAt < lookup.sendingAt!
}
