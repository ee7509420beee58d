/** What a sweep proved: how many documents were due, looked at and changed, and why the rest was not looked at. */
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
