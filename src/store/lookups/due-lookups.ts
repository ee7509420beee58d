import type { Kind } from '../../domain/kind.ts'
import type { OpenState } from '../../domain/lookup.ts'
import type { Sql } from '../connect.ts'
import { firstValue } from '../rows.ts'
import { isClaimed } from './claims.ts'

/** A batch that has something to do now, in a lane that is free or may be tried. */
export type DueBatch = {
  batchId: bigint
  rows: number
  organizationId: bigint
  kind: Kind
  state: OpenState
  trial: boolean
}

/** What a job does (the next step of look-ups of one kind in one state), and how many rows a batch may have to be searched. */
export type LookupStep = { kind: Kind; state: OpenState; mostRows: number }

/** Whether any look-up may be due, now or later. */
export const hasOpenBatch = (sql: Sql): Promise<boolean> =>
  firstValue(sql`select exists (select from vigia.batch where finished_at is null) as open`)

/**
 * The batches with look-ups that are due for one of these steps.
 *
 * A paused or cancelled batch asks nothing new, but what it paid for is still fetched. Some holds likewise stop new calls
 * only, as `vigia.hold_stops` says; any other stops the lane completely, until a trial is due.
 *
 * The order and the limit keep it to one index scan per batch and state. If nearly every look-up is in one state, an
 * `exists` is planned as a full table scan, four times a second while a million rows are imported.
 */
export const findDueBatches = (sql: Sql, steps: LookupStep[], now: Date) => sql<DueBatch[]>`
  select b.id as batch_id, b.rows, b.organization_id, b.kind, step.state, lane.cause is not null as trial
    from vigia.batch b
    join unnest(${steps.map(({ kind }) => kind)}::text[], ${steps.map(({ state }) => state)}::text[],
                ${steps.map(({ mostRows }) => mostRows)}::int[]) as step (kind, state, most_rows)
      on step.kind = b.kind
    left join vigia.lane on lane.organization_id = b.organization_id and lane.kind = b.kind
                  and vigia.hold_stops(lane.cause, step.state)
   cross join lateral (
     select from vigia.lookup l
      where l.kind = b.kind and l.state = step.state and l.batch_id = b.id and l.due_at <= ${now}
        and not ${isClaimed(sql)}
      order by l.due_at
      limit 1) due
   where b.finished_at is null
     and (step.state <> 'queued' or vigia.may_ask(b))
     and case when lane.cause is null then b.rows <= step.most_rows
              else lane.trial_at <= ${now} and vigia.hold_is_tried_by(lane.cause, step.state) end
   order by b.id`

export type Quota = { batchId: bigint; kind: Kind; state: OpenState; take: number; trial: boolean }
export type DueLookup = {
  id: bigint
  batchId: bigint
  organizationId: bigint
  kind: Kind
  state: OpenState
  workerDeaths: number
  /** Its deadline passed before it was asked. */
  isLate: boolean
}

/** The look-ups that are due, as many of each batch as its quota, without claimed ones. */
export const findDueLookups = (sql: Sql, quotas: Quota[], now: Date) => sql<DueLookup[]>`
  ${selectDue(sql, now)}
    from unnest(${quotas.map((q) => q.batchId)}::bigint[], ${quotas.map((q) => q.kind)}::text[],
                ${quotas.map((q) => q.state)}::text[], ${quotas.map((q) => q.take)}::int[])
         as quota (batch_id, kind, state, take)
   cross join lateral (
     select id, batch_id, organization_id, kind, state, worker_deaths, deadline_at
       from vigia.lookup l
      where kind = quota.kind and state = quota.state and batch_id = quota.batch_id and due_at <= ${now}
        and not ${isClaimed(sql)}
      order by due_at
      limit quota.take) l`

/**
 * One look-up of each of these batches for the trial of a held lane, best first. One that has not failed is better, because
 * one that has may fail by itself. Two index scans for each batch.
 */
export const findTrialLookups = (sql: Sql, quotas: Quota[], now: Date) => sql<DueLookup[]>`
  ${selectDue(sql, now)}
    from unnest(${quotas.map((q) => q.batchId)}::bigint[], ${quotas.map((q) => q.kind)}::text[],
                ${quotas.map((q) => q.state)}::text[]) as quota (batch_id, kind, state)
   cross join lateral (
     (${firstDue(sql, now, sql`and attempts = 0`)}) union all (${firstDue(sql, now, sql``)})) l
   order by l.attempts > 0, l.due_at`

const selectDue = (sql: Sql, now: Date) => sql`
  select l.id, l.batch_id, l.organization_id, l.kind, l.state, l.worker_deaths,
         l.state = 'queued' and l.deadline_at <= ${now} as is_late`

const firstDue = (sql: Sql, now: Date, only: ReturnType<Sql>) => sql`
  select id, batch_id, organization_id, kind, state, worker_deaths, deadline_at, attempts, due_at
    from vigia.lookup l
   where kind = quota.kind and state = quota.state and batch_id = quota.batch_id and due_at <= ${now} ${only}
     and not ${isClaimed(sql)}
   order by due_at
   limit 1`
