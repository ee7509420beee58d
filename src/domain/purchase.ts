import type { Remote } from './lookup.ts'
import type { Said } from './said/said.ts'

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
  readingId: bigint
}

/** A call whose answer was lost. */
type LostCall = {
  sentAt: Date
  /** The newest reading when its intent was recorded; null where the list had never been read. */
  readingId: bigint | null
  /** Whether that reading showed everything there was. */
  isReadingWhole: boolean
}

type Verdict =
  /** Certain where a whole list from before lacks it, or none was read and it is dated to the call; else somebody else may have bought it. */
  | { is: 'ours'; remote: Remote; seen: string | null; isCertain: boolean }
  | { is: 'unclear'; reason: Said }
  | { is: 'none' }

/**
 * Which of the unowned purchases of a document came from a call whose answer was lost.
 *
 * No clock is needed: what no list showed before the intent, and a list shows now, was made since, whatever its date.
 * Only where no list was read before does a date exclude anything, and then only one that lies more than a day before
 * the intent, whatever the zone and however wrong the registry's clock. Where the list from before was cut, such a date
 * makes it doubtful: an old purchase may come into sight only now, and a new one may be dated by what it repeats.
 */
export const judgePurchase = (purchases: readonly Purchase[], call: LostCall): Verdict => {
  const possible = purchases.filter((purchase) => !isOlder(purchase, call))
  const [nearest] = possible.filter(({ deleted }) => !deleted).toSorted(byDistanceTo(call.sentAt))
  if (nearest && isDatedBefore(nearest, call) && !call.isReadingWhole) return { is: 'unclear', reason: ['lost_older'] }
  if (nearest) return { is: 'ours', remote: nearest.remote, seen: nearest.seen, isCertain: isCertain(nearest, call) }
  if (possible.length === 0) return { is: 'none' }
  return { is: 'unclear', reason: ['lost_deleted'] }
}

const dayMs = 86_400_000
const minuteMs = 60_000

const isCertain = (purchase: Purchase, { isReadingWhole, readingId, sentAt }: LostCall): boolean =>
  isReadingWhole || (readingId === null && purchase.datedFrom !== null && distance(purchase, sentAt) <= minuteMs)

const isOlder = (purchase: Purchase, call: LostCall): boolean =>
  call.readingId === null ? isDatedBefore(purchase, call) : purchase.readingId <= call.readingId

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
