import type { Remote } from './lookup.ts'

/** Something the registry says was bought, of a document, that no look-up owns yet. */
export type Purchase = { remote: Remote; createdAt: Date | null; seen: string | null }

export type Verdict =
  | { is: 'ours'; remote: Remote; seen: string | null }
  | { is: 'unclear'; reason: string }
  | { is: 'none' }

/** How far the registry's clock may lag behind ours before its dates stop proving anything. */
const clockDoubtMs = 120_000

/**
 * Which of the unowned purchases of a document came from a call sent at `sentAt`.
 *
 * The registry dates by the second, so the second of the intent counts as after it. One dated shortly before
 * may be ours under a slow clock, and one without a date may be anything: neither is adopted nor bought again.
 */
export const judgePurchase = (purchases: Purchase[], sentAt: Date): Verdict => {
  const since = Math.floor(sentAt.getTime() / 1_000) * 1_000
  const ours = purchases.filter(({ createdAt }) => createdAt && createdAt.getTime() >= since)
  if (ours.length > 0) {
    const { remote, seen } = ours.toSorted((a, b) => a.createdAt!.getTime() - b.createdAt!.getTime())[0]!
    return { is: 'ours', remote, seen }
  }
  const near = purchases.some(({ createdAt }) => !createdAt || createdAt.getTime() >= since - clockDoubtMs)
  if (near) return { is: 'unclear', reason: 'the answer was lost, and what the registry lists cannot be dated to it' }
  return { is: 'none' }
}
