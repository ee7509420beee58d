import type { PortfolioKind } from '../../domain/portfolio.ts'
import { within } from '../bound.ts'
import type { Sql } from '../connect.ts'
import { firstRow, firstValue, isAny } from '../rows.ts'

export type Portfolio = {
  id: bigint
  organizationId: bigint
  name: string
  kind: PortfolioKind
  everyMs: number
  /** Of the batches of its runs. */
  purpose: string | null
  /** Null while a run is under way. */
  dueAt: Date | null
  pausedAt: Date | null
  runs: number
  addedAt: Date
  addedBy: string
}

type NewPortfolio = Pick<Portfolio, 'name' | 'kind' | 'everyMs' | 'purpose'> & { organizationId: number }

/** Null if there is one of that name. Its first run is due at once. */
export const insertPortfolio = (
  sql: Sql,
  { organizationId, name, kind, everyMs, purpose }: NewPortfolio,
  { by, now }: { by: string; now: Date },
): Promise<bigint | null> =>
  firstValue(sql`
    insert into vigia.portfolio (organization_id, name, kind, every_ms, purpose, due_at, added_at, added_by)
    values (${organizationId}, ${name}, ${kind}, ${everyMs}, ${purpose}, ${now}, ${now}, ${by})
        on conflict (lower(name)) do nothing
    returning id`)

export const findPortfolio = (sql: Sql, name: string): Promise<Portfolio | null> =>
  firstRow(sql`
    select ${portfolioColumns(sql)} from vigia.portfolio where lower(name) = lower(${name}) and ${within(sql, 'organization_id')}`)

/** Locked until the transaction ends, so that its list changes completely or not at all. */
export const lockPortfolio = (tx: Sql, id: bigint): Promise<Portfolio | null> =>
  firstRow(tx`select ${portfolioColumns(tx)} from vigia.portfolio where id = ${id} for no key update`)

export const listPortfolios = (sql: Sql) => sql<Portfolio[]>`
  select ${portfolioColumns(sql)} from vigia.portfolio where ${within(sql, 'organization_id')} order by lower(name)`

/** True if it was not paused before. */
export const pausePortfolio = (sql: Sql, id: bigint, now: Date): Promise<boolean> =>
  isAny(sql`update vigia.portfolio set paused_at = ${now} where id = ${id} and paused_at is null`)

/** If a run fell due meanwhile, one is due now. True if it was paused. */
export const resumePortfolio = (sql: Sql, id: bigint): Promise<boolean> =>
  isAny(sql`update vigia.portfolio set paused_at = null where id = ${id} and paused_at is not null`)

/** No run may be under way. */
export const makeDue = (sql: Sql, id: bigint, now: Date) => sql`
  update vigia.portfolio set due_at = least(due_at, ${now}) where id = ${id} and due_at is not null`

/** The next run moves by as much as the interval; a first run stays due. */
export const changeInterval = (sql: Sql, id: bigint, everyMs: number, now: Date) => sql`
  update vigia.portfolio
     set every_ms = ${everyMs},
         due_at = case when runs > 0 then greatest(${now}, due_at + (${everyMs} - every_ms) * interval '1 millisecond') else due_at end
   where id = ${id}`

/** Its next runs have it. */
export const changePurpose = (sql: Sql, id: bigint, purpose: string) => sql`
  update vigia.portfolio set purpose = ${purpose} where id = ${id}`

/** What is known of its documents belongs to the kind before. */
export const changeKind = async (sql: Sql, id: bigint, kind: PortfolioKind, now: Date): Promise<void> => {
  await sql`update vigia.portfolio set kind = ${kind}, kind_since = ${now} where id = ${id}`
  await sql`delete from vigia.portfolio_document where portfolio_id = ${id} and removed_at is not null`
  await sql`
    update vigia.portfolio_document set first_run = null, processes = null, counts = null, cents = null
     where portfolio_id = ${id}`
}

/** Deletes the list; its runs stay as sweeps, and its batches as batches, for as long as those are kept. */
export const deletePortfolio = async (tx: Sql, id: bigint, now: Date): Promise<void> => {
  await tx`
    update vigia.sweep set state = 'done', finished_at = ${now}, detail = '{"removed": true}'
     where portfolio_id = ${id} and state = 'running'`
  await tx`delete from vigia.portfolio where id = ${id}`
}

const portfolioColumns = (sql: Sql) => sql`
  id, organization_id, name, kind, every_ms::float8, purpose, due_at, paused_at, runs, added_at, added_by`
