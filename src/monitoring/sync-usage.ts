import { localDay } from '../domain/calendar.ts'
import type { Account } from '../domain/lookup.ts'
import { compareUsage, type ListedPurchase, type UsageDay } from '../domain/usage-difference.ts'
import { recordedPurchases, writeUsage } from '../store/purchases/spending.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import type { SweepOutcome } from './sweep.ts'

/** How far back purchases are compared, in milliseconds. */
const usageReach = 35 * 86_400_000

type Consumption = { document: string; consume: number | null; plan: string | null }

type UsageTools = Pick<MonitoringTools, 'sql' | 'clock' | 'accounts'> & {
  settings: Pick<MonitoringTools['settings'], 'timezone'>
  registry: {
    activities: {
      list(
        account: Account,
        options?: { signal?: AbortSignal },
      ): Promise<{
        complete: boolean
        analyses: ListedPurchase[]
        consumption: Consumption[]
        list: Record<string, unknown> | null
      }>
    }
  }
}

/**
 * Reads what each organization consumed, reconciles it with our records, and stores both per day.
 *
 * The registry lists only analyses. The cost of CNH look-ups is in our records alone. (Interface 4.6)
 */
export const syncUsage = async (tools: UsageTools, signal?: AbortSignal) => {
  const organizations: Awaited<ReturnType<typeof syncOrganization>>[] = []
  for (const account of tools.accounts) organizations.push(await syncOrganization(tools, account, signal))
  const sum = (key: 'told' | 'recorded' | 'differing') => organizations.reduce((all, each) => all + each[key], 0)
  return {
    due: sum('told'),
    verified: sum('told') - organizations.reduce((all, { unrecorded }) => all + unrecorded, 0),
    changed: sum('differing'),
    detail: { organizations },
  } satisfies SweepOutcome
}

const syncOrganization = async (tools: UsageTools, account: Account, signal: AbortSignal | undefined) => {
  const { sql, registry, clock, settings } = tools
  const { complete, analyses, consumption, list } = await registry.activities.list(account, { signal })
  const now = clock()
  const since = new Date(now.getTime() - usageReach)
  // Our records are read from a day earlier than the comparison begins, so that a purchase on the edge is found.
  const edge = new Date(since.getTime() - 86_400_000)
  const listed = analyses.filter(({ createdAt }) => createdAt === null || createdAt >= edge)
  const recorded = await recordedPurchases(sql, account.organizationId, new Date(edge.getTime() - 86_400_000))
  const dayOf = (moment: Date) => localDay(moment, settings.timezone)
  const days = compareUsage(listed, recorded, { complete, dayOf }).filter(({ day }) => day >= dayOf(since))
  await writeUsage(sql, account.organizationId, days, now)
  const plans = plansOf(consumption)
  return { organizationId: account.organizationId, complete, plans, list: list ?? {}, ...sumsOf(days) }
}

const sumsOf = (days: UsageDay[]) => ({
  told: days.reduce((sum, { reported }) => sum + reported, 0),
  recorded: days.reduce((sum, { recorded }) => sum + recorded, 0),
  differing: days.reduce((sum, { differing }) => sum + differing.length, 0),
  unrecorded: days.reduce((sum, { reported, recorded }) => sum + Math.max(0, reported - recorded), 0),
})

/** What each plan consumed since it began, as counted by the registry. */
const plansOf = (consumption: Consumption[]): Record<string, number> => {
  const plans: Record<string, number> = {}
  for (const { plan, consume } of consumption)
    plans[plan ?? 'unnamed'] = (plans[plan ?? 'unnamed'] ?? 0) + (consume ?? 0)
  return plans
}
