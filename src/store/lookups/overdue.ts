import { intentKinds } from '../../domain/kind.ts'
import { lastPollMs } from '../../domain/lookup.ts'
import type { Sql } from '../connect.ts'
import { historyLine, messageJson } from '../messages.ts'
import { isClaimed } from './claims.ts'
import { isSent } from './intents.ts'

/**
 * Locks up to 1,000 look-ups whose deadline passed while they were due. What a job has claimed ends with its step. A call
 * that needs an intent is not under way while its look-up is queued, even if a job has claimed it. A waiting look-up asks a
 * last time at its deadline, so it has some time more for that.
 */
export const lockOverdue = (sql: Sql, now: Date) => sql<{ id: bigint }[]>`
  select l.id
    from vigia.batch b
   cross join (values ('queued'), ('waiting')) as step (state)
    join vigia.lookup l on l.kind = b.kind and l.state = step.state and l.batch_id = b.id
   where b.finished_at is null and b.paused_at is null and b.state in ('running', 'cancelled')
     and l.deadline_at <= ${now}
     and l.due_at <= ${now}::timestamptz - case step.state when 'waiting' then ${lastPollMs} else 0 end * interval '1 millisecond'
     and (not ${isClaimed(sql)} or (l.state = 'queued' and l.kind = any(${[...intentKinds]}::text[])))
   limit 1000
     for no key update of l skip locked`

/**
 * Ends those of them whose call is not under way.
 *
 * The final state depends on why they made no progress: a hold for the plan or for access is named, a last refusal is a
 * failure with its reason, and everything else timed out. A paused batch has no deadline until it is resumed.
 */
export const endOverdue = (sql: Sql, ids: bigint[], now: Date) => sql<{ id: bigint }[]>`
  update vigia.lookup
     set state = overdue.outcome, finished_at = ${now}, due_at = null,
         message = coalesce(overdue.message, jsonb_build_array('last_seen', lookup.seen)),
         trace = array_append(trace, ${historyLine(now, ['deadline'])})
    from (select l.id,
                 case when lane.cause = 'plan' then 'plan_blocked'
                      when lane.cause = 'denied' then 'denied'
                      when lane.cause is null and l.attempts > 0 and l.message is not null then 'failed'
                      else 'timed_out'
                 end as outcome,
                 coalesce(lane.message, l.message) as message
            from vigia.lookup l
            left join vigia.lane on lane.organization_id = l.organization_id and lane.kind = l.kind
                          and vigia.hold_stops(lane.cause, l.state)
           where l.id = any(${ids}::bigint[]) and not ${isSent(sql)}) as overdue
   where lookup.id = overdue.id
  returning lookup.id`

/**
 * Parks calls with an unknown outcome that were not judged by their deadline, of any batch and organization, also of an
 * organization that left the settings or a batch that is gone. A job that is just judging one has a minute more.
 */
export const parkUnjudged = (sql: Sql, now: Date) => sql<{ id: bigint }[]>`
  update vigia.lookup
     set state = 'unknown_outcome', charged = 'unknown', refused_as = null, finished_at = ${now}, due_at = null,
         message = coalesce(message, ${messageJson(sql, ['lost_unknown'])}::jsonb),
         trace = array_append(trace, ${historyLine(now, ['parked_late'])})
   where kind = any(${[...intentKinds]}::text[]) and state = 'sending'
     and greatest(deadline_at, sending_at) < ${now}::timestamptz - interval '1 minute'
  returning id`
