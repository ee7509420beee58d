/** A purchase as the registry lists it. (Interface 4.6) */
export type ListedPurchase = { id: string; document: string; createdAt: Date | null }

/** A purchase in our records; without an id its outcome is still unknown. */
export type RecordedPurchase = { id: string | null; document: string; at: Date; charged: 'yes' | 'unknown' }

type UsageDifference = { id: string | null; document: string; because: string }

/** One day of one organization: what the registry reported, what we recorded, and each purchase in which they differ. */
export type UsageDay = { day: string; reported: number; recorded: number; differing: UsageDifference[] }

/**
 * Reconciles the registry's list with our records, purchase by purchase, and explains each difference.
 *
 * A purchase that both have counts on the registry's day, so one made around midnight is no difference.
 */
export const compareUsage = (
  listed: readonly ListedPurchase[],
  recorded: readonly RecordedPurchase[],
  { complete, dayOf }: { complete: boolean; dayOf: (moment: Date) => string },
): UsageDay[] => {
  const days = new Map<string, UsageDay>()
  const on = (moment: Date): UsageDay => {
    const day = dayOf(moment)
    const known = days.get(day) ?? { day, reported: 0, recorded: 0, differing: [] }
    days.set(day, known)
    return known
  }
  const ours = new Map(recorded.flatMap((purchase) => (purchase.id ? [[purchase.id, purchase] as const] : [])))
  for (const { id, document, createdAt } of listed) {
    const own = ours.get(id)
    const moment = createdAt ?? own?.at
    if (!moment) continue
    const day = on(moment)
    day.reported++
    if (own) day.recorded++
    else day.differing.push({ id, document, because: 'bought outside Vigia, or before its records begin' })
  }
  const reported = new Set(listed.map(({ id }) => id))
  for (const { id, document, at, charged } of recorded) {
    if (id && reported.has(id)) continue
    const day = on(at)
    if (charged === 'yes') day.recorded++
    day.differing.push({ id, document, because: whyUnreported(charged, complete) })
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? 1 : -1))
}

const whyUnreported = (charged: RecordedPurchase['charged'], complete: boolean): string => {
  if (charged === 'unknown') return 'its answer was lost, and its outcome is still unknown'
  return complete ? 'recorded as bought, but the registry does not list it' : 'not in the list, which is not complete'
}
