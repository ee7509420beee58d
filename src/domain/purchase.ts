import type { Remote } from './lookup.ts'
import type { Message } from './messages/message.ts'

/** A purchase in the registry's list, with its document, that no look-up owns. */
export type Purchase = {
  remote: Remote
  /** The date as it was written, and the moments that it may mean; null if it proves nothing. */
  dated: string | null
  datedFrom: Date | null
  datedTo: Date | null
  seen: string | null
  deleted: boolean
  /** The first list snapshot that showed it. */
  listSnapshotId: bigint
  /** A look-up of another organization has the same number and document: the purchase may be theirs or ours. */
  mayBeOthers: boolean
}

/**
 * How far the registry's dates are from the calls that they belong to, in milliseconds, measured on purchases that are
 * certainly ours. It covers the registry's zone and clock, whatever they are.
 */
export type Dating = { from: number; to: number }

/** A call whose answer was lost. */
type LostCall = {
  sentAt: Date
  /** The newest list snapshot when its intent was recorded; null if the list had never been read. */
  listSnapshotId: bigint | null
  /** Whether the earlier list certainly showed everything, or certainly did not; neither if there is none. */
  wasCompleteBefore: boolean
  wasCutBefore: boolean
  /** Whether the list that decides may be incomplete. */
  isListCut: boolean
  dating: Dating | null
}

type Verdict =
  /** Certain if a complete earlier list lacks it, or its date matches the call; otherwise somebody else may have bought it. */
  | { is: 'ours'; remote: Remote; seen: string | null; isCertain: boolean }
  /** It may be somebody else's, and ours be missing from the list: only a complete list can decide. */
  | { is: 'hidden'; reason: Message }
  | { is: 'unclear'; reason: Message }
  | { is: 'none' }

/**
 * Decides which of the unowned purchases of a document came from a call whose answer was lost.
 *
 * No clock is needed: a purchase that no list showed before the intent, and a list shows now, was made since, whatever its
 * date. Only if no list was read before does a date exclude anything, and then only one more than a day before the intent,
 * whatever the zone and the error of the registry's clock. If the earlier list was cut, such a date makes the purchase
 * uncertain: an old purchase may appear only now, and a new one may carry the date of what it repeats. While lists are cut,
 * before and since, a purchase is attributed to the call only if its date matches, by the registry's own clock. Otherwise
 * it may be a colleague's, while the call's own purchase is missing from the list.
 */
export const judgePurchase = (purchases: readonly Purchase[], call: LostCall): Verdict => {
  const possible = purchases.filter((purchase) => !isOlder(purchase, call))
  const ours = possible.filter(({ mayBeOthers }) => !mayBeOthers)
  const standing = ours.filter(({ deleted }) => !deleted).toSorted(byDistanceTo(call.sentAt))
  const nearest = standing.find((purchase) => isDatedToCall(purchase, call)) ?? standing[0]
  if (nearest && isDatedBefore(nearest, call) && !call.wasCompleteBefore)
    return { is: 'unclear', reason: ['lost_older'] }
  if (nearest && isCut(call) && !isDatedToCall(nearest, call)) return { is: 'hidden', reason: ['lost_older'] }
  if (nearest) return { is: 'ours', remote: nearest.remote, seen: nearest.seen, isCertain: isCertain(nearest, call) }
  if (ours.length > 0) return { is: 'unclear', reason: ['lost_deleted'] }
  return possible.length > 0 ? { is: 'unclear', reason: ['lost_shared'] } : { is: 'none' }
}

const dayMs = 86_400_000
const minuteMs = 60_000

const isCertain = (purchase: Purchase, call: LostCall): boolean =>
  call.wasCompleteBefore || (call.listSnapshotId === null ? isDatedNear(purchase, call) : isDatedToCall(purchase, call))

/** Whether both the earlier list and the one that decides may be incomplete. */
const isCut = ({ wasCutBefore, isListCut }: LostCall): boolean => wasCutBefore && isListCut

const isDatedNear = (purchase: Purchase, { sentAt }: LostCall): boolean => distance(purchase, sentAt) <= minuteMs

/** Only a date with a time can be compared with the distance of other calls; a full day cannot. */
const isDatedToCall = ({ datedFrom, datedTo }: Purchase, { sentAt, dating }: LostCall): boolean => {
  if (!dating || !datedFrom || datedFrom.getTime() !== datedTo?.getTime()) return false
  const away = datedFrom.getTime() - sentAt.getTime()
  return away >= dating.from && away <= dating.to
}

const isOlder = (purchase: Purchase, call: LostCall): boolean =>
  call.listSnapshotId === null ? isDatedBefore(purchase, call) : purchase.listSnapshotId <= call.listSnapshotId

const isDatedBefore = ({ datedTo }: Purchase, { sentAt }: LostCall): boolean =>
  datedTo !== null && datedTo.getTime() < sentAt.getTime() - dayMs

/** Orders by distance from the call; a purchase without a date comes last. */
const byDistanceTo =
  (moment: Date) =>
  (a: Purchase, b: Purchase): number =>
    distance(a, moment) - distance(b, moment)

const distance = ({ datedFrom, datedTo }: Purchase, moment: Date): number => {
  if (!datedFrom || !datedTo) return Number.MAX_SAFE_INTEGER
  const [from, to, at] = [datedFrom.getTime(), datedTo.getTime(), moment.getTime()]
  return Math.max(0, from - at, at - to)
}
