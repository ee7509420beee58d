import { z } from 'zod'
import { priceOf, type UnitPrices } from '../domain/amount.ts'
import { localDay } from '../domain/calendar.ts'
import type { Pair } from '../domain/readable-pairs.ts'
import { boundsOf, within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { spentOn } from '../store/purchases/spending.ts'
import { listSweeps } from '../store/radars/sweeps.ts'
import { pair, toPairs } from './answer.ts'
import { bigId, iso, maskedDocument, moment, price, type RowOf, toView } from './fields.ts'

const differing = z.object({ id: z.string().nullable(), document: maskedDocument, because: z.string() })

/** One day of one organization: what the registry reported, what we recorded, and each purchase that differs. */
export const usageDay = z.object({
  organization: bigId,
  day: z.iso.date(),
  told: z.int(),
  recorded: z.int(),
  difference: z.int(),
  price: price.describe('of what the registry reported'),
  differing: z.array(differing),
  readAt: moment,
})
export type UsageShown = z.output<typeof usageDay>

type UsageOptions = { since?: string; limit?: number; prices: UnitPrices | null; unmasked?: boolean }

/** Newest day first, since a day or up to a limit. */
export const listUsage = async (sql: Sql, options: UsageOptions): Promise<UsageShown[]> => {
  const { since, limit, prices, unmasked } = options
  const rows = await sql<Omit<RowOf<typeof usageDay>, 'price'>[]>`
    select organization_id as organization, to_char(day, 'YYYY-MM-DD') as day, reported as told, recorded,
           reported - recorded as difference, differing, read_at
      from vigia.usage_day
     where ${since ? sql`day >= ${since}::date` : sql`true`} and ${within(sql, 'organization_id')}
     order by day desc, organization_id
     limit ${limit ?? null}`
  return rows.map((row) =>
    toView(usageDay, {
      ...row,
      price: priceOf(prices, 'analysis', row.told),
      differing: row.differing.map((each) => toView(differing, each, unmasked)),
    }),
  )
}

/** A purchase that the registry contradicted: the organization owned an earlier analysis that the list did not show. */
export const contradiction = z.object({
  organization: bigId,
  lookup: bigId,
  bought: z.string().nullable().describe('the number of the analysis that was bought'),
  owned: z.string().describe('the number of the analysis that the organization owned'),
  document: maskedDocument,
  foundAt: moment,
})
export type ContradictionShown = z.output<typeof contradiction>

/**
 * Newest first. Left out are those of erased persons, and one whose analysis a list has since proved older than the
 * freshness window.
 */
export const listContradictions = async (
  sql: Sql,
  { limit, freshMs, unmasked }: { limit: number; freshMs: number; unmasked?: boolean },
): Promise<ContradictionShown[]> => {
  const rows = await sql<RowOf<typeof contradiction>[]>`
    select c.organization_id as organization, c.lookup_id as lookup, l.remote_id as bought, c.previous_id as owned,
           coalesce(l.question, '') as document, c.found_at
      from vigia.contradiction c
      left join vigia.lookup l on l.id = c.lookup_id
     where c.previous_id <> '' and ${within(sql, 'c.organization_id')} and ${isStillContradicted(sql, freshMs)}
     order by c.found_at desc, c.lookup_id desc
     limit ${limit}`
  return rows.map((row) => toView(contradiction, row, unmasked))
}

const isStillContradicted = (sql: Sql, freshMs: number) => sql`
  not exists (select from vigia.purchase p
               where p.organization_id = c.organization_id and p.kind = c.kind and p.remote_id = c.previous_id
                 and (p.deleted or p.dated_to <= c.found_at - ${freshMs}::float8 * interval '1 millisecond'))`

/** Spending today against the budget of a day. */
export const usageToday = z.object({ day: z.iso.date(), spent: z.int(), budget: z.int().nullable() })

/** Null for an operator who is limited to some organizations: the daily budget is one for all of them. */
export const readToday = async (
  sql: Sql,
  now: Date,
  { timezone, budget }: { timezone: string; budget: { perDay: number | null } },
): Promise<z.output<typeof usageToday> | null> => {
  if (boundsOf(sql)) return null
  const day = localDay(now, timezone)
  return { day, spent: await spentOn(sql, day), budget: budget.perDay }
}

/** Units reserved or charged per day. */
export const listSpending = (sql: Sql, sinceDay: string) => sql<{ day: string; units: number }[]>`
  select to_char(day, 'YYYY-MM-DD') as day, units from vigia.spending_day where day >= ${sinceDay}::date order by day`

/** The figures for an on-call person; read every few seconds, so estimates and stored counts are enough. */
type Figures = {
  due: { kind: string; state: string; lookups: number; oldest: Date | null }[]
  /** The last status of look-ups that wait for an answer, including statuses that are not in the interface. */
  statuses: { kind: string; status: string; lookups: number }[]
  ended: { state: string; rows: number }[]
  charged: number
  contradicted: number
  batches: { state: string; batches: number }[]
}

export const readFigures = async (sql: Sql): Promise<Figures> => {
  const [due, statuses, ended, [charged], batches, [contradicted]] = await Promise.all([
    sql<Figures['due']>`
      select w.kind, w.state, count(*)::int as lookups,
             min(w.due_at) filter (where h.kind is null and (w.state <> 'queued' or vigia.goes_on(b))) as oldest
        from (select organization_id, batch_id, kind, state, due_at
                from vigia.lookup where due_at is not null limit 200000) as w
        join vigia.batch b on b.id = w.batch_id
        left join vigia.lane h on h.organization_id = w.organization_id and h.kind = w.kind and vigia.hold_stops(h.cause, w.state)
       group by w.kind, w.state`,
    sql<Figures['statuses']>`
      select w.kind, coalesce(w.seen, 'none') as status, count(*)::int as lookups
        from (select kind, seen from vigia.lookup where due_at is not null and state = 'waiting' limit 200000) as w
       group by w.kind, coalesce(w.seen, 'none')
       order by lookups desc
       limit 500`,
    sql<Figures['ended']>`select state, sum(rows)::float8 as rows from vigia.batch_count group by state`,
    sql<{ units: number }[]>`select coalesce(sum(units), 0)::float8 as units from vigia.spending_day`,
    sql<Figures['batches']>`
      select vigia.shown_state(batch) as state, count(*)::int as batches
        from vigia.batch where finished_at is null group by 1`,
    sql<{ purchases: number }[]>`select count(*)::int as purchases from vigia.contradiction`,
  ])
  return { due, statuses, ended, charged: charged?.units ?? 0, contradicted: contradicted?.purchases ?? 0, batches }
}

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
