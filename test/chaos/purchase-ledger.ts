import { spendingKinds } from '../../src/domain/kind.ts'
import type { Database } from '../../src/store/connect.ts'

export type LookupFacts = {
  id: bigint
  organizationId: number
  kind: string
  question: string
  state: string
  charged: string
  remoteId: string | null
}

/** `kept` are the counters of the engine, `counted` the counts of the rows. */
export type BatchFacts = { id: bigint; state: string; rows: number; spent: number; kept: string; counted: string }

/** Our records, read from the tables and not through the code under test. */
export type PurchaseLedger = {
  lookups: LookupFacts[]
  batches: BatchFacts[]
  /** Look-ups that have not ended. */
  open: number
  bought: number
  parked: number
  spentByDay: number
  states: Record<string, number>
  /** The histories of some of the look-ups without an answer. */
  histories: string[]
}

export const readLedger = async (sql: Database): Promise<PurchaseLedger> => {
  const lookups = await sql<LookupFacts[]>`
    select id, organization_id::int, kind, question, state, charged, remote_id from vigia.lookup`
  const batches = await sql<BatchFacts[]>`
    select b.id, b.state, b.rows, b.spent,
           coalesce((select string_agg(c.state || ' ' || c.rows, ', ' order by c.state)
                       from vigia.batch_count c where c.batch_id = b.id), '') as kept,
           coalesce((select string_agg(s.state || ' ' || s.rows, ', ' order by s.state)
                       from (select case when r.reject_reason is not null then 'rejected'
                                         when r.cancelled then 'cancelled' else l.state end as state, count(*) as rows
                               from vigia.batch_row r left join vigia.lookup l on l.id = r.lookup_id
                              where r.batch_id = b.id group by 1) as s), '') as counted
      from vigia.batch b`
  const [days] = await sql<{ units: number }[]>`select coalesce(sum(units), 0)::int as units from vigia.spending_day`
  const bad = await sql<{ id: bigint; trace: string[] }[]>`
    select id, trace from vigia.lookup where state not in ('ok', 'unknown_outcome', 'timed_out', 'cancelled') limit 3`
  const paid = lookups.filter(({ kind }) => (spendingKinds as readonly string[]).includes(kind))
  const states = Map.groupBy(lookups, ({ state }) => state)
  return {
    lookups,
    batches,
    open: lookups.filter(({ state }) => ['queued', 'sending', 'waiting'].includes(state)).length,
    bought: paid.filter(({ charged }) => charged === 'yes').length,
    parked: paid.filter(({ charged }) => charged === 'unknown').length,
    spentByDay: days?.units ?? 0,
    states: Object.fromEntries([...states].map(([state, group]) => [state, group.length])),
    histories: bad.map(({ id, trace }) => `look-up ${id}: ${trace.join(' | ')}`),
  }
}
