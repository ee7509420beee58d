import type { Remote } from './lookup.ts'
import type { Message } from './messages/message.ts'

/** Something the registry says was bought, of a document, that no look-up owns. */
export type Purchase = {
  remote: Remote
  /** As it was written, and the moments that it may mean; null where it proves nothing. */
  dated: string | null
  datedFrom: Date | null
  datedTo: Date | null
  seen: string | null
  deleted: boolean
  /** The first reading of the list that showed it. */
  listSnapshotId: bigint
  /** A look-up of another organization has its number and its document: it is theirs, or ours. */
  mayBeOthers: boolean
}

/**
 * How far the registry's dates lie from the calls that they are of, in milliseconds, as purchases show that are surely ours:
 * its zone and its clock, whatever they are.
 */
export type Dating = { from: number; to: number }

/** A call whose answer was lost. */
type LostCall = {
  sentAt: Date
  /** The newest reading when its intent was recorded; null where the list had never been read. */
  listSnapshotId: bigint | null
  /** Whether the list from before surely showed everything there was, or surely did not; neither where none came. */
  wasCompleteBefore: boolean
  wasCutBefore: boolean
  /** Whether the list that it is judged by may not show everything there is. */
  isListCut: boolean
  dating: Dating | null
}

type Verdict =
  /** Certain where a whole list from before lacks it, or it is dated to the call; else somebody else may have bought it. */
  | { is: 'ours'; remote: Remote; seen: string | null; isCertain: boolean }
  /** It may be somebody else's, and ours be hidden: only a list that is whole would tell. */
  | { is: 'hidden'; reason: Message }
  | { is: 'unclear'; reason: Message }
  | { is: 'none' }

/**
 * Which of the unowned purchases of a document came from a call whose answer was lost.
 *
 * No clock is needed: what no list showed before the intent, and a list shows now, was made since, whatever its date.
 * Only where no list was read before does a date exclude anything, and then only one that lies more than a day before
 * the intent, whatever the zone and however wrong the registry's clock. Where the list from before was cut, such a date
 * makes it doubtful: an old purchase may come into sight only now, and a new one may be dated by what it repeats. While
 * lists are cut, before and since, a purchase is taken for the call's only where its date says so, by the registry's own
 * clock: else it may be a colleague's, and the call's own one out of sight.
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

/** Whether the list from before and the one that it is judged by both need not show everything. */
const isCut = ({ wasCutBefore, isListCut }: LostCall): boolean => wasCutBefore && isListCut

const isDatedNear = (purchase: Purchase, { sentAt }: LostCall): boolean => distance(purchase, sentAt) <= minuteMs

/** Only a moment is as far from its call as others are from theirs; a day is no moment. */
const isDatedToCall = ({ datedFrom, datedTo }: Purchase, { sentAt, dating }: LostCall): boolean => {
  if (!dating || !datedFrom || datedFrom.getTime() !== datedTo?.getTime()) return false
  const away = datedFrom.getTime() - sentAt.getTime()
  return away >= dating.from && away <= dating.to
}

const isOlder = (purchase: Purchase, call: LostCall): boolean =>
  call.listSnapshotId === null ? isDatedBefore(purchase, call) : purchase.listSnapshotId <= call.listSnapshotId

const isDatedBefore = ({ datedTo }: Purchase, { sentAt }: LostCall): boolean =>
  datedTo !== null && datedTo.getTime() < sentAt.getTime() - dayMs

/** Of several, the one dated nearest to the call; one without a date comes last. */
const byDistanceTo =
  (moment: Date) =>
  (a: Purchase, b: Purchase): number =>
    distance(a, moment) - distance(b, moment)

const distance = ({ datedFrom, datedTo }: Purchase, moment: Date): number => {
  if (!datedFrom || !datedTo) return Number.MAX_SAFE_INTEGER
  const [from, to, at] = [datedFrom.getTime(), datedTo.getTime(), moment.getTime()]
  return Math.max(0, from - at, at - to)
}
