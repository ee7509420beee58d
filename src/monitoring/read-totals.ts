import { CallFailure, callFailureOf } from '../domain/call-failure.ts'
import { countsAll } from '../domain/judge.ts'
import type { Account } from '../domain/lookup.ts'
import { followsFigures } from '../domain/sweep.ts'
import { endTotals, forgetTotals, type ListedTotals, recordTotals } from '../store/radars/free-figures.ts'
import type { Sweep } from '../store/radars/sweeps.ts'
import type { MonitoringTools } from './monitoring-tools.ts'

/**
 * Writes the free totals of the list of analyses into the snapshots of a sweep, page by page: the list may be larger than
 * memory (Interface 4.6). A list that cannot be read is read again until `lastTry`; then the night does without.
 */
export const readTotals = async (
  tools: MonitoringTools,
  sweep: Sweep,
  account: Account,
  { lastTry, signal }: { lastTry: boolean; signal?: AbortSignal | undefined },
): Promise<'read' | 'pending' | 'failed'> => {
  const { sql, registry, settings, log } = tools
  const organizationId = BigInt(account.organizationId)
  if (followsFigures(settings.radarSweep)) {
    const record = (listed: ListedTotals[]) => recordTotals(sql, sweep.id, organizationId, listed)
    await forgetTotals(sql, sweep.id, organizationId)
    const read = await streamTotals(registry, account, record, signal).catch(callFailureOf)
    if (read instanceof CallFailure && !lastTry) return 'pending'
    if (read !== 'complete') {
      const reason = read instanceof CallFailure ? read.message : 'the list does not show everything'
      log.warn({ sweep: String(sweep.id), organization: account.organizationId, reason }, 'free totals not read')
      await forgetTotals(sql, sweep.id, organizationId)
      await endTotals(sql, sweep.id, organizationId, 'failed')
      return 'failed'
    }
  }
  await endTotals(sql, sweep.id, organizationId, 'read')
  return 'read'
}

/** Of each document of the list, in pages; those without a total are left out. */
export const streamTotals = async (
  registry: Pick<MonitoringTools['registry'], 'activities'>,
  account: Account,
  take: (listed: ListedTotals[]) => PromiseLike<unknown>,
  signal?: AbortSignal,
): Promise<'complete' | 'cut'> => {
  const page = async (activities: { consumption: ListedTotals }[]) => {
    const listed = greatestOf(activities.map(({ consumption }) => consumption))
    if (listed.length > 0) await take(listed)
  }
  const figures = await registry.activities.read(account, () => page, { signal })
  return countsAll(figures) ? 'complete' : 'cut'
}

const greatestOf = (items: ListedTotals[]): ListedTotals[] => {
  const known = items.filter(({ totalRisk, totalAnalyzed }) => totalRisk !== null || totalAnalyzed !== null)
  return [...Map.groupBy(known, ({ document }) => document)].map(([document, same]) => ({
    document,
    totalRisk: greatest(same.map(({ totalRisk }) => totalRisk)),
    totalAnalyzed: greatest(same.map(({ totalAnalyzed }) => totalAnalyzed)),
  }))
}

const greatest = (totals: (number | null)[]): number | null => {
  const known = totals.filter((total) => total !== null)
  return known.length > 0 ? Math.max(...known) : null
}
