import { type Kind, spendingKinds } from '../../domain/kind.ts'
import type { Message } from '../../messages/message.ts'
import { within } from '../bound.ts'
import type { Sql } from '../connect.ts'
import { historyLine } from '../messages.ts'
import { firstValue, isAny, onlyRow } from '../rows.ts'
import { isOfCall, isSent } from './intents.ts'
import { isErased } from './lookup-rows.ts'

/**
 * Whether a purchase already belongs to a look-up of its organization, current, superseded or deleted; the purchase ledger
 * keeps the latter. Another organization's purchase may have the same number.
 */
export const isOwned = (
  sql: Sql,
  { organizationId, kind }: { organizationId: bigint; kind: Kind },
  remoteId: string,
): Promise<boolean> =>
  isAny(sql`
    select from vigia.lookup
     where kind = ${kind} and remote_id = ${remoteId} collate "C" and organization_id = ${organizationId}
     union all
    select from vigia.purchase
     where kind = ${kind} and remote_id = ${remoteId} and organization_id = ${organizationId} and lookup_id is not null`)

/** Keeps in the purchase ledger what superseded or deleted look-ups bought, so that nobody else adopts it. */
export const keepOwned = (sql: Sql, lookupIds: bigint[]) => sql`
  insert into vigia.purchase (organization_id, kind, remote_id, remote_key, document, list_snapshot_id, lookup_id)
  select distinct on (organization_id, kind, remote_id)
         organization_id, kind, remote_id, remote_key, case when ${isErased(sql)} then '' else question end, 0, id
    from vigia.lookup l
   where id = any(${lookupIds}::bigint[]) and remote_id is not null and kind = any(${spendingKinds}::text[])
   order by organization_id, kind, remote_id, id desc
      on conflict (organization_id, kind, remote_id) do update set lookup_id = excluded.lookup_id`

type Settlement = {
  to: 'waiting' | 'queued' | 'cancelled'
  remote?: { id: string; key: string | null }
  history: Message
  /** The batch for which it is sent again. It fetches an adopted purchase of a payer that has no row of it, as a sweep. */
  batchId: bigint | null
}

/** Settles a parked look-up by a person's decision: adopt a purchase, send again, or drop. */
export const settleParked = (
  sql: Sql,
  { lookupId, sendingAt }: { lookupId: bigint; sendingAt: Date | null },
  change: Settlement,
  deadlineAt: Date,
  now: Date,
): Promise<boolean> =>
  isAny(sql`
    update vigia.lookup l
       set state = ${change.to},
           batch_id = case when ${change.to} = 'queued' or ${change.to} = 'waiting' and not exists (
                                  select from vigia.batch_row r
                                   where r.lookup_id = l.id and r.batch_id = l.batch_id and vigia.shows_answer(r))
                           then coalesce(${change.batchId}, batch_id) else batch_id end,
           charged = case when ${change.to} = 'waiting' then 'yes'
                          when ${change.to} = 'cancelled' and kind = any(${[...spendingKinds]}::text[]) then charged
                          else 'no' end,
           adopted_at = case when ${change.to} = 'waiting' then ${now}::timestamptz end,
           remote_id = ${change.remote?.id ?? null}, remote_key = ${change.remote?.key ?? null},
           due_at = case when ${change.to} = 'cancelled' then null else ${now}::timestamptz end,
           finished_at = case when ${change.to} = 'cancelled' then ${now}::timestamptz end,
           deadline_at = ${deadlineAt}, attempts = 0, polls = 0, unlisted_at = null, message = null,
           trace = array_append(trace, ${historyLine(now, change.history)})
     where id = ${lookupId} and state = 'unknown_outcome' and ${isOfCall(sql, sendingAt)}`)

/**
 * The calls of a batch that may have cost something and are not settled yet, by the batch that pays for them.
 *
 * `open`: under way, in a job. `unknownOutcomes`: the answer was lost and the call is not judged yet, or it is parked for a person.
 * This is what "unknown outcome" means for a batch, among the parked and in the metrics.
 */
export type UnsettledCalls = { open: number; unknownOutcomes: number }

export const callsOf = (sql: Sql, batchId: bigint): Promise<UnsettledCalls> =>
  onlyRow(sql`
    select (select count(*) from ${onTheirWay(sql)} where l.batch_id = ${batchId})::int as open,
           (select count(*) from vigia.lookup l where l.batch_id = ${batchId} and ${hasUnknownOutcome(sql)})::int as unknown_outcomes`)

/** The same over everything: batches of files and of sweeps. */
export const countUnknownOutcomes = (sql: Sql): Promise<number> =>
  firstValue(sql`
    select count(*)::int as calls from vigia.lookup l where ${hasUnknownOutcome(sql)} and ${within(sql, 'organization_id')}`)

/** Sent, without an answer so far. */
export const onTheirWay = (sql: Sql) => sql`vigia.intent i join vigia.lookup l on l.id = i.lookup_id`

/** Being judged, or parked. The condition is that of the index `lookup_outcome_unknown`. */
export const hasUnknownOutcome = (sql: Sql) => sql`l.state in ('sending', 'unknown_outcome')`

/** Paid calls of a batch of which it is not known, or never will be, whether they were charged. */
export const countUnknownCharges = (sql: Sql, batchId: bigint): Promise<number> =>
  firstValue(sql`
    select count(*)::int as calls
      from vigia.batch_row r
      join vigia.lookup l on l.id = r.lookup_id
     where r.batch_id = ${batchId} and vigia.row_pays(r, l) and (l.charged = 'unknown' or ${isSent(sql)})`)

/** The parked ones of the calls with an unknown outcome; the others are being judged. By the same index. */
export const countParked = (sql: Sql): Promise<number> =>
  firstValue(
    sql`select count(*)::int as calls from vigia.lookup where state = 'unknown_outcome' and ${within(sql, 'organization_id')}`,
  )
