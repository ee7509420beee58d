import { z } from 'zod'
import type { Pair } from '../domain/readable-pairs.ts'
import { boundsOf } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { listSweeps } from '../store/radars/sweeps.ts'
import { pair, toPairs } from './answer.ts'
import { iso, moment } from './fields.ts'

/** What the plans of an organization consumed, as the registry counts it, and what is left where its list shows that. */
export const planUsage = z.object({
  organization: z.int(),
  complete: z.boolean().describe('false: the list may not show everything, so more may be consumed'),
  plans: z.array(z.object({ plan: z.string(), consumed: z.int() })),
  list: z.array(pair).describe('the figures of the list, by their names there'),
  left: z
    .array(pair)
    .nullable()
    .describe('what the list shows beyond the interface, such as a balance; null: the interface shows nothing of it'),
})
export type PlanUsage = z.output<typeof planUsage>

/** As it is stored with a sweep; an earlier version stored no figures of the list. */
type Synced = { organizationId: number; complete: boolean; plans: Record<string, number>; list?: object }

export const toPlanUsage = ({ organizationId, complete, plans, list = {} }: Synced): PlanUsage => {
  const pairs = toPairs(list).toSorted((a, b) => (a.path.join() < b.path.join() ? -1 : 1))
  const left = pairs.filter((each) => !isOfInterface(each))
  return {
    organization: organizationId,
    complete,
    plans: Object.entries(plans).map(([plan, consumed]) => ({ plan, consumed })),
    list: pairs.filter(isOfInterface),
    left: left.length > 0 ? left : null,
  }
}

/** (Interface 2.6) */
const isOfInterface = ({ path }: Pair): boolean => ['reason', 'total', 'from', 'to', 'limit'].includes(path[0]!)

export const plansRead = z.object({ readAt: moment, organizations: z.array(planUsage) })

/** By the last usage sweep; null before the first. */
export const readPlans = async (sql: Sql): Promise<z.output<typeof plansRead> | null> => {
  const sweeps = await listSweeps(sql, { name: 'usage', limit: 10 })
  const last = sweeps.find(({ state }) => state === 'done')
  if (!last) return null
  const bounds = boundsOf(sql)
  const all = (last.detail.organizations ?? []) as Synced[]
  const organizations = all.filter(({ organizationId: of }) => !bounds || bounds.some((each) => Number(each) === of))
  return { readAt: iso(last.finishedAt ?? last.startedAt), organizations: organizations.map(toPlanUsage) }
}
