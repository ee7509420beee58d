import type { Message } from '../messages/message.ts'
import type { Remote } from './lookup.ts'

/** The figures of a list. The interface gives no rules for them, so each is trusted only as far as necessary. */
export type ListFigures = {
  total: number | null
  limit: number | null
  /** Items received, what they hold, and how many could not be read in full. */
  items: number
  analyses: number
  unreadable: number
  /** It came as `null`, as a 404 or as a refusal: an empty list may look like that, and so may one that could not be read. */
  isBare: boolean
}

/** Whether its total counts everything that came, and all of that could be read. */
export const countsAll = ({ total, items, analyses, unreadable }: ListFigures): boolean =>
  unreadable === 0 && (total === items || total === analyses)

/** Whether it names a limit that it did not reach, whatever the limit counts; an empty list leaves nothing out. */
export const declaresAll = ({ limit, items, analyses }: ListFigures): boolean =>
  items === 0 || (limit !== null && limit > items && limit > analyses)

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

/** A paid call whose answer was lost, or that was refused and may have been charged. */
export type LostCall = {
  sentAt: Date
  /** The newest list snapshot when its intent was recorded; null if the list had never been read. */
  listSnapshotId: bigint | null
  /** Whether that list showed everything. */
  wasComplete: boolean
  isRefused: boolean
  /** When nothing of it could be under way any more, and from when on a list would show it. */
  endedAt: Date
  listedAt: Date
}

/** What a person states about the list (`registry.list`): it shows every purchase, or the newest ones. */
export type ListStatement = 'everything' | 'newest' | null

/** The list that decides. */
export type List = {
  beganAt: Date
  /** It misses a purchase of ours that it had time to show, or its figures contradict each other. */
  lacks: boolean
  /** It says that it shows everything, and lacks nothing of ours. */
  complete: boolean
  /** When the oldest and the youngest purchase of ours in it were intended. */
  oldestAt: Date | null
  youngestAt: Date | null
  /** When the youngest of ours was intended that it had to show, and shows. */
  requiredAt: Date | null
  /** When the youngest of ours was intended that it may not show yet; null if none is awaited. */
  awaitedAt: Date | null
  shows: ListStatement
  /** A person states that purchases come into the list in the order in which they were made. */
  inOrder: boolean
  /** From when on a list will show more of ours, because more is about to be bought or found; null if nothing is. */
  growsAt: Date | null
  /** Whether a hold of unknown length delays what is about to be bought. */
  isHeld: boolean
  /** The registry denies requests that it has accepted: a request that it denies may have been made. */
  deniesSome: boolean
}

type Judgement =
  /** Certain if a complete list did not show it before the call; otherwise somebody else may have bought it. */
  | { is: 'ours'; remote: Remote; seen: string | null; isCertain: boolean }
  /** The list does not show the call. `until`: from when on that proves something; null: it does now. */
  | { is: 'absent'; until: Date | null }
  /** The list proves nothing. `until`: read another one then; null: the next one decides. */
  | { is: 'wait'; reason: Message; until: Date | null }
  | { is: 'park'; reason: Message }

/**
 * Decides what became of a call whose answer was lost.
 *
 * | the list shows                                             | it was read     | verdict |
 * |------------------------------------------------------------|-----------------|---------|
 * | a purchase of the document that nobody owns and that was   | at any time     | ours    |
 * | not listed before the call                                 |                 |         |
 * | one that may be older, another's, or was deleted           | late enough     | park    |
 * | nothing, and it is complete or shows ours around the call  | late enough     | absent  |
 * | nothing, and it is neither                                 | late enough     | park, unless it grows |
 * | anything else                                              | too early       | wait    |
 *
 * No clock of the registry is needed: a purchase that no list showed before the intent was made since, whatever its date.
 * A date excludes one only if it lies more than a day before the call, and no complete list was read before.
 */
export const judge = (purchases: readonly Purchase[], call: LostCall, list: List): Judgement => {
  const lateAt = list.beganAt < call.listedAt ? call.listedAt : null
  const possible = purchases.filter((purchase) => !wasListedBefore(purchase, call))
  const ours = possible.filter(({ mayBeOthers }) => !mayBeOthers)
  const found = nearest(
    ours.filter(({ deleted }) => !deleted),
    call.sentAt,
  )
  if (found && (call.wasComplete || !isDatedBefore(found, call))) {
    return { is: 'ours', remote: found.remote, seen: found.seen, isCertain: isCertain(found, call) }
  }
  if (possible.length > 0) {
    const reason: Message = [found ? 'lost_older' : ours.length > 0 ? 'lost_deleted' : 'lost_shared']
    return lateAt ? { is: 'wait', reason, until: lateAt } : { is: 'park', reason }
  }
  if (list.deniesSome) return { is: 'wait', reason: ['lost_denied'], until: lateAt }
  if (!(list.complete || isAround(call, list))) {
    return { is: 'wait', reason: ['lost_unproven'], until: (list.lacks ? null : list.growsAt) ?? lateAt }
  }
  return { is: 'absent', until: lateAt ?? (call.isRefused ? null : verifiedAt(call, list)) }
}

/**
 * Whether a list that does not say what it leaves out shows ours from before the call and from after it. Nothing of ours may
 * be awaited where purchases come into the list in any order. Where the list shows the newest, one from before is enough; a
 * refusal is the registry's own answer, so that one from after is enough.
 */
const isAround = (
  { sentAt, endedAt, isRefused }: LostCall,
  { lacks, awaitedAt, oldestAt, youngestAt, shows, inOrder }: List,
): boolean => {
  if (lacks || oldestAt === null || youngestAt === null) return false
  const longestMs = endedAt.getTime() - sentAt.getTime()
  const isBefore = oldestAt.getTime() + longestMs <= sentAt.getTime()
  const isAfter = youngestAt > endedAt
  if (awaitedAt !== null && !(inOrder && isAfter)) return false
  return (isBefore || isRefused) && (isAfter || shows === 'newest')
}

/**
 * A complete list decides once it had to show a purchase of ours that was made after the call: a list that hides the newest
 * ones, whatever it declares, lacks that one by then. Until then the call waits: for the first later one that is known, for
 * what was intended while the call could be under way, or for what is about to be bought, unless a hold prevents that. In a
 * list in the order of purchases, any later one decides. Null: the list is verified, or nothing can verify it.
 */
const verifiedAt = ({ sentAt, endedAt, listedAt }: LostCall, list: List): Date | null => {
  const { beganAt, requiredAt, youngestAt, awaitedAt, inOrder, growsAt, isHeld } = list
  const isAfter = (moment: Date | null): moment is Date => moment !== null && moment > endedAt
  if (isAfter(requiredAt) || (inOrder && isAfter(youngestAt))) return null
  const later = [youngestAt, awaitedAt].filter(isAfter)
  const next = later.length > 0 ? Math.min(...later.map(Number)) : awaitedAt?.getTime()
  const mustShowAt = next === undefined ? null : new Date(listedAt.getTime() + next - sentAt.getTime() + 1)
  if (mustShowAt && beganAt < mustShowAt) return mustShowAt
  return isHeld ? null : growsAt
}

const dayMs = 86_400_000
const minuteMs = 60_000

const wasListedBefore = (purchase: Purchase, call: LostCall): boolean =>
  call.listSnapshotId === null ? isDatedBefore(purchase, call) : purchase.listSnapshotId <= call.listSnapshotId

const isDatedBefore = ({ datedTo }: Purchase, { sentAt }: LostCall): boolean =>
  datedTo !== null && datedTo.getTime() < sentAt.getTime() - dayMs

const isCertain = (purchase: Purchase, { wasComplete, listSnapshotId, sentAt }: LostCall): boolean =>
  wasComplete || (listSnapshotId === null && distance(purchase, sentAt) <= minuteMs)

/** The one dated nearest to the call; one without a date comes last. */
const nearest = (purchases: Purchase[], moment: Date): Purchase | undefined =>
  purchases.toSorted((a, b) => distance(a, moment) - distance(b, moment))[0]

const distance = ({ datedFrom, datedTo }: Purchase, moment: Date): number => {
  if (!datedFrom || !datedTo) return Number.MAX_SAFE_INTEGER
  const [from, to, at] = [datedFrom.getTime(), datedTo.getTime(), moment.getTime()]
  return Math.max(0, from - at, at - to)
}
