import type { Kind } from '../../domain/kind.ts'
import type { OpenState } from '../../domain/lookup.ts'
import { inEnglish } from '../../domain/said/english.ts'
import type { Sql } from '../connect.ts'
import { saidJson, storyLine } from '../said.ts'

/** A batch that has something to do now, in a lane that is free or may be probed. */
export type DueBatch = { batchId: bigint; organizationId: bigint; kind: Kind; state: OpenState; probe: boolean }

/**
 * The batches with due look-ups, per state of those look-ups.
 *
 * A paused or cancelled batch asks nothing new, but what it paid for is still fetched. A lane held for its
 * plan or its budget likewise only stops asking; any other hold stops the lane whole, until one probe is due.
 *
 * The order and the limit keep it to one probe of the index per batch and state. Where nearly every look-up is in one
 * state, an `exists` is planned as a scan of the whole table, four times a second while a million rows are imported.
 */
export const findDueBatches = (sql: Sql, now: Date) => sql<DueBatch[]>`
  select b.id as "batchId", b.organization_id as "organizationId", b.kind, step.state, lane.cause is not null as probe
    from batch b
   cross join (values ('queued'), ('waiting'), ('sending')) as step (state)
    left join lane on lane.organization_id = b.organization_id and lane.kind = b.kind
                  and hold_stops(lane.cause, step.state)
   cross join lateral (
     select from lookup l
      where l.kind = b.kind and l.state = step.state and l.batch_id = b.id and l.due_at <= ${now}
        and (l.job_id is null or l.state = 'sending')
      order by l.due_at
      limit 1) due
   where b.finished_at is null
     and (step.state <> 'queued' or may_ask(b))
     and (lane.cause is null or lane.probe_at <= ${now})
   order by b.id`

export type Quota = { batchId: bigint; kind: Kind; state: OpenState; take: number }
export type DueLookup = {
  id: bigint
  batchId: bigint
  organizationId: bigint
  kind: Kind
  state: OpenState
  suspicion: number
}

/** Locks the look-ups that are due, so many of each batch; what another dispatcher has locked is passed over. */
export const lockDueLookups = (sql: Sql, quotas: Quota[], now: Date) => sql<DueLookup[]>`
  select l.id, l.batch_id as "batchId", l.organization_id as "organizationId", l.kind, l.state, l.suspicion
    from unnest(${quotas.map((q) => q.batchId)}::bigint[], ${quotas.map((q) => q.kind)}::text[],
                ${quotas.map((q) => q.state)}::text[], ${quotas.map((q) => q.take)}::int[])
         as quota (batch_id, kind, state, take)
   cross join lateral (
     select id, batch_id, organization_id, kind, state, suspicion
       from lookup
      where kind = quota.kind and state = quota.state and batch_id = quota.batch_id and due_at <= ${now}
        and (job_id is null or state = 'sending')
      order by due_at
      limit quota.take
        for update skip locked) l`

/**
 * Puts look-ups into the hands of jobs. They stay due, which spares the index: a look-up in hand is passed over.
 * Only one in doubt may be taken from the job that sent it, so it is due no longer once it is being judged.
 *
 * The ids stand there twice, because a join alone may be planned as a scan of the whole table.
 */
export const handToJobs = (sql: Sql, ids: bigint[], jobIds: string[]) => sql`
  update lookup
     set job_id = hand.job_id, due_at = case when state = 'sending' then null else due_at end
    from unnest(${ids}::bigint[], ${jobIds}::uuid[]) as hand (id, job_id)
   where lookup.id = hand.id and lookup.id = any(${ids}::bigint[])`

/** Takes look-ups back from a job, as they are: another job may have them at once. */
export const releaseFromJob = (sql: Sql, ids: bigint[], jobId: string, dueAt: Date) => sql`
  update lookup
     set job_id = null, due_at = ${dueAt}
   where id = any(${ids}::bigint[]) and job_id = ${jobId} and finished_at is null
     and (state <> 'sending' or due_at is null)`

/**
 * Takes back what a dead worker's job had in hand.
 *
 * Suspicion grows each time: suspects come back in smaller jobs, at last alone, and one that was
 * alone in hand three times when its worker died is set aside as poison.
 */
export const releaseFromDead = (sql: Sql, ids: bigint[], jobId: string, poisonAt: number, now: Date) => sql<
  { id: bigint; poisoned: boolean }[]
>`
  update lookup
     set job_id = null,
         suspicion = suspicion + 1,
         state = case when suspicion + 1 >= ${poisonAt} and state <> 'sending' then 'failed' else state end,
         finished_at = case when suspicion + 1 >= ${poisonAt} and state <> 'sending' then ${now}::timestamptz end,
         due_at = case when state = 'sending' then coalesce(due_at, ${now})
                       when suspicion + 1 < ${poisonAt} then ${now}::timestamptz end,
         detail = case when suspicion + 1 >= ${poisonAt} and state <> 'sending'
                       then ${inEnglish(['died_thrice'])} else detail end,
         said = case when suspicion + 1 >= ${poisonAt} and state <> 'sending'
                     then ${saidJson(sql, ['died_thrice'])}::jsonb else said end,
         trace = array_append(trace, ${storyLine(now, ['worker_died'])})
   where id = any(${ids}::bigint[]) and job_id = ${jobId} and finished_at is null
  returning id, finished_at is not null as poisoned`
