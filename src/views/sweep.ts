import { z } from 'zod'
import { priceOf, type UnitPrices } from '../domain/amount.ts'
import { kinds } from '../domain/kind.ts'
import { maskTexts } from '../domain/mask-documents.ts'
import { type KeptNights, keptNights, objective } from '../domain/objective.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import { boundsOf, within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { spentBySweeps } from '../store/purchases/spending.ts'
import { isVerified } from '../store/radars/snapshots.ts'
import { listUnverified, runNames, type Sweep } from '../store/radars/sweeps.ts'
import { iso, masked, moment, price, shownDocument, shownMessage } from './fields.ts'

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
    select state, due, verified, started_at as "startedAt", finished_at as "finishedAt"
      from ${nightsOf(sql)}
     where name = 'radars' and started_at >= ${since}`
  return keptNights(sweeps, when)
}

/** The radar sweeps since a moment, newest first. */
export const listNights = (sql: Sql, since: Date) => sql<Night[]>`
  select id, slot, state, due, verified, changed, started_at as "startedAt", finished_at as "finishedAt"
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

/** The documents that a sweep could not verify, or has not verified yet. */
export const unverifiedShown = z.object({
  sweep: z.int(),
  missing: z.array(
    z.object({
      document: masked,
      organizationId: z.int(),
      unverified: z.string().nullable().describe('why it is not verified; null: not reached yet'),
      tries: z.int(),
    }),
  ),
})

const mostUnverified = 10_000

export const readUnverified = async (sql: Sql, sweep: bigint): Promise<z.output<typeof unverifiedShown>> => {
  const missing = await listUnverified(sql, sweep, mostUnverified)
  return {
    sweep: Number(sweep),
    missing: missing.map(({ document, organizationId, message, tries }) => ({
      document: shownDocument(document),
      organizationId: Number(organizationId),
      unverified: shownMessage(message),
      tries,
    })),
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
