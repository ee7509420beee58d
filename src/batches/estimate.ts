import type { Kind } from '../domain/kind.ts'
import type { Sql } from '../store/connect.ts'
import { readLanePace } from '../store/lane-pace.ts'

export type Work = {
  organizationId: number
  kind: Kind
  /** Look-ups that will be asked: no more than a limit lets through. */
  lookups: number
  /** How many requests may be open at once. */
  bound: number
  /** The wait before the first look at an answer, by the settings. */
  firstLookMs: number
}

/** How long so many look-ups will take, by what the lane's last batches took. The same for every quote that is shown. */
export const expectedSeconds = async (sql: Sql, { organizationId, kind, lookups, bound, firstLookMs }: Work) => {
  if (lookups === 0) return 0
  const measured = await readLanePace(sql, organizationId, kind)
  const { perSecond, secondsEach } = measured ?? unmeasured(bound, firstLookMs)
  return Math.ceil(secondsEach + lookups / perSecond)
}

/** Without experience in this lane: an order and its answer, a second each, and the wait between them. */
const unmeasured = (bound: number, firstLookMs: number) => ({
  perSecond: bound / 2,
  secondsEach: 2 + firstLookMs / 1_000,
})
