import type { OpenState } from '../../domain/lookup.ts'
import type { Message } from '../../messages/message.ts'
import type { Sql } from '../connect.ts'
import { historyLine, messageJson } from '../messages.ts'
import { firstValue } from '../rows.ts'
import { isSent } from './intents.ts'

/** The look-ups that a job has claimed. */
export type Claim = { jobId: string; state: OpenState; ids: bigint[] }

/** Lets one dispatcher at a time dispatch look-ups, over all workers; false while another one does. */
export const lockDispatch = (sql: Sql): Promise<boolean> =>
  firstValue(sql`select pg_try_advisory_xact_lock(hashtextextended('vigia dispatch', 0)) as locked`)

/** Claims look-ups for jobs. They stay due, which saves index writes; claimed ones are skipped. */
export const claimLookups = (sql: Sql, claims: Claim[], now: Date) => sql`
  insert into vigia.claim (job_id, state, claimed_at, ids)
  select job_id, state, ${now}, string_to_array(ids, ' ')::bigint[]
    from unnest(${claims.map(({ jobId }) => jobId)}::uuid[], ${claims.map(({ state }) => state)}::text[],
                ${claims.map(({ ids }) => ids.join(' '))}::text[]) as claimed (job_id, state, ids)`

/** Look-up `l` is claimed by a job, or its call is under way. Evaluated once, for all look-ups of a query. */
export const isClaimed = (sql: Sql) => sql`
  (l.id, l.state) in (select unnest(c.ids), c.state from vigia.claim c
                       union all
                      select i.lookup_id, 'queued' from vigia.intent i)`

/** Ends the claims of a job; what it did not settle is due as before. */
export const endClaim = (sql: Sql, jobId: string) => sql`delete from vigia.claim where job_id = ${jobId}`

/** Postpones look-ups that could not be worked on. */
export const postponeLookups = (sql: Sql, ids: bigint[], state: OpenState, dueAt: Date) => sql`
  update vigia.lookup set due_at = ${dueAt}
   where id = any(${ids}::bigint[]) and state = ${state} and due_at < ${dueAt}`

/** Postpones look-ups whose call was never sent, and records why. The wait grows with the time since they were first asked. */
export const putOffUnsent = (sql: Sql, unsent: { id: bigint; reason: Message }[], firstMs: number, now: Date) => sql`
  update vigia.lookup l
     set due_at = least(l.deadline_at, ${now}::timestamptz
                   + greatest(${firstMs} * interval '1 millisecond', least((${now}::timestamptz - l.asked_at) / 2, interval '1 hour'))),
         message = why.message::jsonb
    from unnest(${unsent.map(({ id }) => id)}::bigint[],
                ${unsent.map(({ reason }) => JSON.stringify(reason))}::text[]) as why (id, message)
   where l.id = why.id and l.state = 'queued' and not ${isSent(sql)}`

/**
 * Releases what a dead worker's job had claimed and not settled.
 *
 * The deaths of each look-up are counted: it comes back in a smaller job, then alone, and one that was alone three times
 * when its worker died is quarantined. One whose call is under way or has an unknown outcome may have been bought:
 * reconciliation decides about that.
 */
export const releaseFromDead = async (
  sql: Sql,
  jobId: string,
  fatalDeaths: number,
  now: Date,
): Promise<{ id: bigint; isQuarantined: boolean }[]> => {
  const [gone] = await sql<{ state: OpenState; claimedAt: Date; ids: bigint[] }[]>`
    delete from vigia.claim where job_id = ${jobId} returning state, claimed_at, ids`
  if (!gone) return []
  const left = await sql<{ id: bigint }[]>`
    select id from vigia.lookup
     where id = any(${gone.ids}::bigint[]) and state = ${gone.state} and due_at <= ${gone.claimedAt}
     order by id
       for no key update`
  return sql<{ id: bigint; isQuarantined: boolean }[]>`
    update vigia.lookup l
       set worker_deaths = l.worker_deaths + 1,
           state = case when fatal then 'failed' else l.state end,
           finished_at = case when fatal then ${now}::timestamptz end,
           due_at = case when fatal then null else l.due_at end,
           message = case when fatal then ${messageJson(sql, ['died_thrice'])}::jsonb else l.message end,
           trace = array_append(l.trace, ${historyLine(now, ['worker_died'])})
      from (select l.id, l.worker_deaths + 1 >= ${fatalDeaths} and l.state <> 'sending' and not ${isSent(sql)} as fatal
              from vigia.lookup l
             where l.id = any(${left.map(({ id }) => id)}::bigint[])) as dead
     where l.id = dead.id
    returning l.id, fatal as is_quarantined`
}
