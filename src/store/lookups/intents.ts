import type { Lookup } from '../../domain/lookup.ts'
import type { Sql } from '../connect.ts'
import { serverStart } from '../fleet/workers.ts'
import { firstValue } from '../rows.ts'
import { type LookupRow, lookupColumns, toLookup, workable } from './lookup-rows.ts'

/** A look-up whose intent is recorded. */
export type Sending = Lookup & { batchId: bigint; state: 'sending'; sendingAt: Date }

/** The rules of spending that this version follows. A migration that changes them raises it, see `sql/061_protocol.sql`. */
const protocol = 1

/** Whether a newer version has updated the database: this one may buy nothing more. */
export const isOutdated = async (sql: Sql): Promise<boolean> =>
  (await firstValue<number>(sql`select protocol from vigia.fleet`)) > protocol

/** The time of an intent, how long after it its call is judged, and the server whose list was read. */
type Intent = { now: Date; judgedAfterMs: number; server: string }

/** What the day may spend, if the calls cost anything. */
type DailyBudget = { day: string; perDay: number | null }

/**
 * Records the intent to spend, once. From here on only an answer or the registry's list shows what happened.
 *
 * The claim is locked, so that no other job records an intent for the same look-up, and the look-up, so that a transaction
 * that takes it out of the queue sees the intent or is seen. It works only on
 * the server whose list was read: another one, or an older copy, may have lost purchases. A worker of an older version than
 * the database records nothing. The database itself dates when
 * the call may be judged, so a worker with a wrong clock cannot have it judged while it is under way. With a daily budget
 * the units are reserved in the same statement, last, because all spending goes through those rows. It fails if not all of
 * them fit.
 */
export const beginSending = async (
  sql: Sql,
  ids: bigint[],
  jobId: string,
  { now, judgedAfterMs, server }: Intent,
  dailyBudget: DailyBudget | null = null,
): Promise<Sending[]> => {
  const rows = await sql<(LookupRow & { batchId: bigint })[]>`
    with mine as materialized (
      select job_id from vigia.claim where job_id = ${jobId} for no key update),
    asked as (
      select ${lookupColumns(sql)}, batch_id
        from vigia.lookup
       where exists (select from mine) and id in (${workable(sql, ids, jobId, now)})
         and id not in (select i.lookup_id from vigia.intent i)
         and state = 'queued' and deadline_at > ${now} and ${serverStart(sql)} = ${server}
         and ${protocol} >= (select protocol from vigia.fleet)
       order by id
         for no key update),
    begun as (
      insert into vigia.intent_group (sent_at, judged_at, list_snapshot_id, lookup_ids)
      select ${now}, clock_timestamp() + ${judgedAfterMs} * interval '1 millisecond',
             (select max(r.id) from vigia.list_snapshot r
               where r.organization_id = lane.organization_id and r.kind = lane.kind and r.ended_at is not null), lane.ids
        from (select organization_id, kind, array_agg(id) as ids from asked group by organization_id, kind) as lane
      returning list_snapshot_id),
    sent as (
      select asked.*, begun.list_snapshot_id from asked cross join begun),
    reserved as materialized (${dailyBudget ? reserving(sql, dailyBudget) : sql`select`})
    select sent.* from sent cross join reserved`
  return rows.map((row) => ({
    ...toLookup(row),
    batchId: row.batchId,
    state: 'sending',
    sendingAt: now,
    unlistedAt: null,
    refusedAs: null,
    charged: 'unknown',
  }))
}

const reserving = (sql: Sql, { day, perDay }: DailyBudget) => sql`
  select vigia.reserve_all((select array_agg(batch_id) from sent), ${day}, ${perDay})`

/** Takes intents back in the transaction that recorded them, because the budget is too small. */
export const takeBackIntents = (sql: Sql, intents: Pick<Sending, 'id' | 'sendingAt'>[]) => sql`
  select from vigia.end_intents(${intents.map(({ id }) => id)}::bigint[], ${intents.map(({ sendingAt }) => sendingAt)}::timestamptz[])`

/**
 * The call of look-up `l` is under way: it stays queued, and must not be taken out of the queue.
 *
 * Code that takes it out locks it first, in a statement of its own: only then does the next statement see every intent. They
 * are read once for all look-ups of a statement, of which there may be a million.
 */
export const isSent = (sql: Sql) => sql`l.id in (select i.lookup_id from vigia.intent i)`

/** The purchase of look-up `l` was deleted at the registry: nobody owns it. */
export const isDeleted = (sql: Sql) => sql`
  exists (select from vigia.purchase p
           where p.organization_id = l.organization_id and p.kind = l.kind and p.remote_id = l.remote_id and p.deleted)`

/** The unknown outcome of look-up `l` belongs to the call that was sent at that time; a later one is another call. */
export const isOfCall = (sql: Sql, sentAt: Date | null | ReturnType<Sql>) => sql`
  date_trunc('milliseconds', l.sending_at) is not distinct from ${sentAt}`

/** Calls without an answer at the time when none can still be under way have an unknown outcome from now on. */
export const recordUnknownOutcomes = (sql: Sql, now: Date) => sql<{ id: bigint }[]>`
  with late as (
    delete from vigia.intent_group where judged_at <= clock_timestamp() returning lookup_ids, sent_at, list_snapshot_id),
  lost as (
    select unnest(lookup_ids) as lookup_id, sent_at, list_snapshot_id from late)
  update vigia.lookup l
     set state = 'sending', charged = 'unknown', sending_at = lost.sent_at, list_snapshot_id = lost.list_snapshot_id, unlisted_at = null, refused_as = null,
         due_at = ${now}, trace = array_append(l.trace, vigia.history_line(lost.sent_at, '["intent"]'))
    from lost
   where l.id = lost.lookup_id and l.state = 'queued'
  returning l.id`
