import { listedAfterMs } from '../src/domain/advance.ts'
import { intentKinds } from '../src/domain/kind.ts'
import type { Lookup } from '../src/domain/lookup.ts'
import { absent, adopted, type Outcome, undecided, unproven } from '../src/domain/outcome.ts'
import { judgePurchase } from '../src/domain/purchase.ts'
import { type Evidence, gatherEvidence } from '../src/purchases/evidence.ts'
import { lookupJob, type Tools } from './tools.ts'

/**
 * Finds out whether calls whose answer was lost bought anything.
 *
 * They are judged only after their own deadline, when nothing can still be on its way. A listed purchase of the
 * document that no look-up owns is adopted, unless it is proven older. If two complete lists do not show the call, the
 * second read late enough, it is sent again. A refusal stands once one complete list does not show the call. Anything
 * else is parked for a person.
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
    return absent(lateAt ?? unverifiedUntil(lookup, settings, evidence))
  },
})

/** What is known of a call whose answer was lost, and of the lists read before and after it. */
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
 * The moment after which a list would show the call, if it was processed: its deadline, or the refusal that ended it,
 * plus the lag of the list. Null: this list is late enough. That the list shows a younger purchase proves nothing,
 * because each purchase may appear in it at its own time.
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

/**
 * With the registry's own refusal a list is proof enough that is complete, or that only its own limit calls cut: it then shows
 * all of ours, and one that was bought after the call. A page that leaves out one of ours may leave out this call too.
 */
const provesRefusal = (
  { sendingAt }: Lookup,
  { complete, lacks, awaitedAt, youngestAt }: Evidence['snapshot'],
): boolean => complete || (!lacks && awaitedAt === null && youngestAt !== null && youngestAt > sendingAt!)

/**
 * Purchases of ours that were made after the call must be in the list, at least one of them, before the list proves
 * anything. Until then it is read again: either one of them appears, or they prove that the list is incomplete. Null:
 * the list is verified, or there is nothing that could verify it and nobody is free to buy more.
 */
const unverifiedUntil = (
  { sendingAt }: Lookup,
  settings: Tools['settings'],
  { snapshot, willGrow, isHeld }: Evidence,
): Date | null => {
  const isLater = (moment: Date | null) => moment !== null && moment >= sendingAt!
  if (isLater(snapshot.youngestAt) || !(isLater(snapshot.awaitedAt) || (willGrow && !isHeld))) return null
  return grownAt(settings, snapshot)
}

/**
 * When to read a list again that proves nothing yet, while more is being bought. A list as long as a page: if the next
 * one is longer, it was no page; if it is as long, it is cut. A list that shows none of ours: the next one shows the
 * new purchase, or is incomplete.
 */
const grownAt = ({ forKind }: Tools['settings'], { beganAt }: Evidence['snapshot']): Date =>
  new Date(beganAt.getTime() + forKind.analysis.purchases.listLag)

/**
 * A list as long as a page may be one, and then its end is unknown: the order of its items is not documented, and one
 * item may hold purchases of several years. Such a list can only confirm an earlier list that was certainly complete
 * and did not show the call either, if that was late enough and showed a later purchase of ours.
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
