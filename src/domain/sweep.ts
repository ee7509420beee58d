import type { Message } from '../messages/message.ts'

/** What a sweep proved: how many documents were due, verified and changed, and why the rest was not verified. */
export type Coverage = { due: number; verified: number; changed: number; unverified: Record<string, number> }

/** `1,240 of 1,247 verified, 31 changed, 7 not verified because 5 processes timed out, 2 analysis denied` */
export const coverageSentence = ({ due, verified, changed, unverified }: Coverage): string => {
  const missing = due - verified
  const reasons = Object.entries(unverified)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${grouped(count)} ${reason}`)
  const why = missing > 0 ? `, ${grouped(missing)} not verified because ${reasons.join(', ') || 'nobody knows'}` : ''
  return `${grouped(verified)} of ${grouped(due)} verified, ${grouped(changed)} changed${why}`
}

const grouped = (count: number): string => count.toLocaleString('en-US')

/** What a list of radars is compared with: the size of the mirror, and how many of its radars the list no longer shows. */
type ListSize = { complete: boolean; listed: number; mirrored: number; missing: number }

/**
 * Why a list of radars is rejected; null if it is accepted.
 *
 * A list that lost more than a fifth overnight is far more often cut short than true, and accepting it would end the
 * monitoring of everyone who is missing. A person decides.
 */
export const suspicionOf = ({ complete, listed, mirrored, missing }: ListSize): Message | null => {
  if (!complete) return ['list_cut']
  if (listed === 0 && mirrored > 0) return ['list_empty', mirrored]
  if (missing * 5 > mirrored) return ['list_short', missing, mirrored]
  return null
}
