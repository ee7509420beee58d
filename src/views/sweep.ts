import { z } from 'zod'
import { priceOf, type UnitPrices, withinLimit } from '../domain/amount.ts'
import { kinds } from '../domain/kind.ts'
import { maskTexts } from '../domain/mask-documents.ts'
import { type KeptNights, keptNights, objective } from '../domain/sweep.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import { boundsOf, within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { spentBySweeps } from '../store/purchases/spending.ts'
import { isVerified } from '../store/radars/snapshots.ts'
import { listUnverified, runNames, type Sweep, type SweepName, sweepNames } from '../store/radars/sweeps.ts'
import { bigId, iso, maskedDocument, message, moment, price, toView } from './fields.ts'

/** One sweep, with its coverage and what it bought. */
export const sweepShown = z.object({
  sweep: z.int(),
  name: z.enum(runNames),
  slot: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  trigger: z.enum(['schedule', 'missed', 'operator']),
  due: z.int(),
  verified: z.int(),
  changed: z.int(),
  detail: z.record(z.string(), z.unknown()),
  bought: z.int().nullable().describe('paid look-ups; null where it buys none'),
  boughtKind: z.enum(kinds).nullable().describe('what was bought: analyses, or licences for a portfolio of `cnh`'),
  price,
  started: moment,
  finished: moment.nullable(),
})
export type SweepShown = z.output<typeof sweepShown>

export const toSweepsView = async (
  sql: Sql,
  sweeps: readonly Sweep[],
  prices: UnitPrices | null,
): Promise<SweepShown[]> => {
  const ids = sweeps.map(({ id }) => id)
  const spent = await spentBySweeps(sql, ids)
  return sweeps.map(({ id, startedAt, finishedAt, detail, ...rest }) => {
    const bought = spent.get(id)
    return {
      sweep: Number(id),
      ...rest,
      detail: maskTexts(detail.said ? { ...detail, reason: inEnglish(detail.said) } : detail),
      bought: bought?.units ?? null,
      boughtKind: bought?.kind ?? null,
      price: bought ? priceOf(prices, bought.kind, bought.units) : null,
      started: iso(startedAt),
      finished: iso(finishedAt),
    }
  })
}

export type Night = Pick<Sweep, 'id' | 'slot' | 'state' | 'due' | 'verified' | 'changed' | 'startedAt' | 'finishedAt'>

/** How well the last nights met the service level. */
export const readObjective = async (
  sql: Sql,
  when: { now: Date; timezone: string; businessDaysOnly: boolean },
): Promise<KeptNights> => {
  const since = new Date(when.now.getTime() - (objective.nights + 1) * 86_400_000)
  const sweeps = await sql<Pick<Night, 'state' | 'due' | 'verified' | 'startedAt' | 'finishedAt'>[]>`
    select state, due, verified, started_at, finished_at
      from ${nightsOf(sql)}
     where name = 'radars' and started_at >= ${since}`
  return keptNights(sweeps, when)
}

/** The radar sweeps since a moment, newest first. */
export const listNights = (sql: Sql, since: Date) => sql<Night[]>`
  select id, slot, state, due, verified, changed, started_at, finished_at
    from ${nightsOf(sql)}
   where name = 'radars' and started_at >= ${since}
   order by id desc
   limit 200`

/** The stored counts cover every organization; for an operator with fewer organizations they are counted again. */
const nightsOf = (sql: Sql) =>
  boundsOf(sql) === null
    ? sql`vigia.sweep`
    : sql`(
        select w.id, w.name, w.slot, w.state, w.started_at, w.finished_at,
               (select count(*)::int from vigia.snapshot s
                 where s.sweep_id = w.id and ${within(sql, 's.organization_id')}) as due,
               (select count(*)::int from vigia.snapshot s
                 where s.sweep_id = w.id and ${within(sql, 's.organization_id')} and ${isVerified(sql)}) as verified,
               (select count(distinct (c.organization_id, c.document))::int from vigia.change c
                 where c.sweep_id = w.id and ${within(sql, 'c.organization_id')}) as changed
          from vigia.sweep w) as sweep`

const unverified = z.object({
  document: maskedDocument,
  organizationId: bigId,
  unverified: message.nullable().describe('why it is not verified; null: not reached yet'),
  tries: z.int(),
})

/** The documents that a sweep could not verify, or has not verified yet. */
export const unverifiedShown = z.object({ sweep: z.int(), missing: z.array(unverified) })

const mostUnverified = 10_000

export const readUnverified = async (sql: Sql, sweep: bigint): Promise<z.output<typeof unverifiedShown>> => {
  const missing = await listUnverified(sql, sweep, mostUnverified)
  return {
    sweep: Number(sweep),
    missing: missing.map((each) => toView(unverified, { ...each, unverified: each.message })),
  }
}

/** The reasons why documents of a sweep could not be verified. */
export const countUnverified = (sql: Sql, sweepId: bigint) => sql<{ message: Message | null; documents: number }[]>`
  select s.message, count(*)::int as documents
    from vigia.snapshot s
   where s.sweep_id = ${sweepId} and not ${isVerified(sql)} and ${within(sql, 's.organization_id')}
   group by s.message
   order by documents desc
   limit 10`

const name = z.enum(sweepNames)
const analysesToBuy = z
  .int()
  .describe('at most, if every figure moves: within `budget.perBatch` for each organization, and `budget.perDay`')

/** What a sweep would buy now, at most. */
export const sweepQuote = z.object({ name, analysesToBuy, price })
export type SweepQuote = z.output<typeof sweepQuote>

const organizationPreview = z.object({
  organization: z.int(),
  suspicion: z.string().nullable().describe('why the list would be rejected'),
  listed: z.int().describe('how many radars the registry lists'),
  known: z.int().describe('how many the local copy has'),
  missing: z.int().describe('known and not listed'),
  toLookAt: z.int(),
  analysesDue: z.int().describe('analyses that are missing or too old'),
  analysesMoved: z.int().describe('radars of which a free figure is known to have moved since their analysis'),
  analysesIfMoved: z.int().describe('radars that get a new analysis if a free figure turns out to have moved'),
  analysesToBuy,
  price,
})

/** What a sweep would do now; its name decides which of the last keys are present. */
export const sweepPreview = z.object({
  dryRun: z.literal(true),
  ...sweepQuote.shape,
  organizations: z.array(organizationPreview).optional(),
  batches: z.int().optional().describe('how many would be deleted'),
  lookups: z.int().optional().describe('how many would be deleted'),
  wouldRead: z.union([z.int().describe('organizations'), z.string()]).optional(),
})
export type SweepPreview = z.output<typeof sweepPreview>

/** What a radar sweep would find for one organization. */
export type FoundRadars = Pick<
  z.output<typeof organizationPreview>,
  'listed' | 'known' | 'missing' | 'toLookAt' | 'analysesDue' | 'analysesMoved' | 'analysesIfMoved'
> & { organizationId: number; suspicion: Message | null }

type Found = { organizations: FoundRadars[] } | { batches: number; lookups: number } | { wouldRead: number | string }

type Budget = { perBatch: number | null; leftToday?: number | null; unitPrice: UnitPrices | null }
type Wanted = Pick<FoundRadars, 'analysesDue' | 'analysesMoved' | 'analysesIfMoved'>

export const toSweepQuoteView = (sweep: SweepName, found: readonly Wanted[], budget: Budget): SweepQuote => {
  const wanted = found.reduce((sum, each) => sum + affordableOf(each, budget), 0)
  const toBuy = withinLimit(wanted, budget.leftToday ?? null)
  return { name: sweep, analysesToBuy: toBuy, price: priceOf(budget.unitPrice, 'analysis', toBuy) }
}

export const toSweepPreviewView = (sweep: SweepName, found: Found, budget: Budget): SweepPreview => {
  const radars = 'organizations' in found ? found.organizations : []
  const shown =
    'organizations' in found ? { organizations: radars.map((each) => toFoundRadarsView(each, budget)) } : found
  return { dryRun: true, ...toSweepQuoteView(sweep, radars, budget), ...shown }
}

/** The analyses of an organization are one batch of the sweep, with the limit of any batch. */
const affordableOf = ({ analysesDue, analysesMoved, analysesIfMoved }: Wanted, { perBatch }: Budget): number =>
  withinLimit(analysesDue + analysesMoved + analysesIfMoved, perBatch)

const toFoundRadarsView = (
  { organizationId, suspicion, ...figures }: FoundRadars,
  budget: Budget,
): z.output<typeof organizationPreview> => {
  const analysesToBuy = affordableOf(figures, budget)
  return {
    organization: organizationId,
    suspicion: suspicion && inEnglish(suspicion),
    ...figures,
    analysesToBuy,
    price: priceOf(budget.unitPrice, 'analysis', analysesToBuy),
  }
}
