import type { Fragment, JSONValue } from 'postgres'
import type { Purchase } from '../../domain/judge.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Sql } from '../connect.ts'
import { isSent } from '../lookups/intents.ts'
import { isErased } from '../lookups/lookup-rows.ts'
import { firstValue, isAny } from '../rows.ts'

export type PaidLane = { organizationId: number; kind: Kind }

/** A purchase as the registry lists it. */
export type LedgerEntry = {
  id: string
  key: string | null
  document: string
  dated: string | null
  datedFrom: Date | null
  datedTo: Date | null
  status: string | null
  deleted: boolean
  registryName?: string | null
  debtorStatus?: string | null
  /** Its other fields, as they were sent. */
  listed?: Record<string, unknown> | null
}

/**
 * Writes a page of the registry's list into the purchase ledger. A known purchase keeps the snapshot that first showed it,
 * and nothing is written if nothing changed: a list of 150,000 is read every ten minutes. Nothing is written for an
 * abandoned snapshot either: calls may have been made since, and its purchases would count as older than they are.
 *
 * False if a number has another document in the ledger: only one of the two is in it, and the list hides the other.
 */
export const recordPurchases = (
  sql: Sql,
  { organizationId, kind }: PaidLane,
  listSnapshotId: bigint,
  page: LedgerEntry[],
): Promise<boolean> =>
  firstValue(sql`
    with listed as (
      select distinct on (id) *
        from json_to_recordset(${sql.json(page as unknown as JSONValue)}::json) as listed (
          id text, key text, document text, dated text, "datedFrom" timestamptz, "datedTo" timestamptz, status text,
          deleted boolean, "registryName" text, "debtorStatus" text, listed jsonb)
       order by id),
    written as (
      insert into vigia.purchase as known (organization_id, kind, remote_id, remote_key, document, dated, dated_from, dated_to,
                                     status, deleted, list_snapshot_id, registry_name, debtor_status, listed)
      select ${organizationId}, ${kind}, id, key, document, dated, "datedFrom", "datedTo", status, deleted, ${listSnapshotId},
             "registryName", "debtorStatus", listed
        from listed
       where exists (select from vigia.list_snapshot r where r.id = ${listSnapshotId} and r.message is null)
          on conflict (organization_id, kind, remote_id) do update
         set deleted = excluded.deleted, status = excluded.status, dated = excluded.dated, dated_from = excluded.dated_from,
             dated_to = excluded.dated_to, registry_name = ${ifKnown(sql, sql`excluded.registry_name`)},
             debtor_status = excluded.debtor_status, listed = ${ifKnown(sql, sql`excluded.listed`)}
       where (known.deleted, known.dated, known.dated_to) is distinct from (excluded.deleted, excluded.dated, excluded.dated_to)
          or (known.document <> '' and (known.registry_name, known.debtor_status, known.listed)
              is distinct from (excluded.registry_name, excluded.debtor_status, excluded.listed))
      returning remote_id, debtor_status),
    searched as (
      update vigia.answer a set debtor_status = written.debtor_status
        from written
        join vigia.lookup l on l.kind = ${kind} and l.remote_id = written.remote_id and l.current
                           and l.organization_id = ${organizationId}
       where a.lookup_id = l.id and a.debtor_status is distinct from written.debtor_status)
    select not exists (select from listed
                         join vigia.purchase known on known.organization_id = ${organizationId} and known.kind = ${kind}
                                                  and known.remote_id = listed.id
                        where known.document not in (listed.document, '')) as agrees`)

/** What says something about a person; an erased one stays erased, however often the list shows them. */
const ifKnown = (sql: Sql, value: Fragment) => sql`case when known.document <> '' then ${value} end`

/** The purchases of these documents that no look-up owns. */
export const unownedPurchases = async (
  sql: Sql,
  { organizationId, kind }: PaidLane,
  documents: string[],
): Promise<Map<string, Purchase[]>> => {
  const rows = await sql<(Purchase & { document: string; remoteId: string; remoteKey: string | null })[]>`
    select p.document, p.remote_id, p.remote_key, p.dated,
           case when not vigia.is_misdated(p) then p.dated_from end as dated_from,
           case when not vigia.is_misdated(p) then p.dated_to end as dated_to, p.status as seen, p.deleted,
           p.list_snapshot_id, ${mayBeOthers(sql)} as may_be_others
      from vigia.purchase p
     where p.document = any(${documents}::text[]) and p.kind = ${kind} and p.organization_id = ${organizationId}
       and ${isUnowned(sql)}
     order by p.list_snapshot_id, p.remote_id`
  const purchases = rows.map((row) => ({ ...row, remote: { id: row.remoteId, key: row.remoteKey } }))
  return Map.groupBy(purchases, ({ document }) => document)
}

/**
 * Whether a list may yet find a purchase of ours: the outcome of a call is unknown that was sent, or refused, after these
 * moments, or a purchase of its document was listed since that nobody owns.
 */
export const mayFindOurs = (
  sql: Sql,
  { organizationId, kind }: PaidLane,
  { sentAfter, refusedAfter }: { sentAfter: Date; refusedAfter: Date },
): Promise<boolean> =>
  firstValue(sql`
    select exists (
      select from vigia.lookup l
       where l.kind = ${kind} and l.state = 'sending' and l.due_at is not null and l.organization_id = ${organizationId}
         and (case when l.refused_as is null then l.sending_at > ${sentAfter} else l.unlisted_at > ${refusedAfter} end
              or exists (select from vigia.purchase p
                          where p.document = l.question and p.kind = l.kind and p.organization_id = l.organization_id
                            and p.list_snapshot_id > coalesce(l.list_snapshot_id, 0) and ${isUnowned(sql)}))) as may_find`)

export const isUnowned = (sql: Sql) => sql`
  (p.lookup_id is null and not exists (select from vigia.lookup o where vigia.owns(o, p)))`

export const mayBeOthers = (sql: Sql) => sql`exists (select from vigia.lookup o where vigia.may_own(o, p))`

/** Whether the registry is known to write the day before the month, by any purchase of this lane. */
export const isKnownDayFirst = (sql: Sql, { organizationId, kind }: PaidLane): Promise<boolean> =>
  firstValue(sql`
    select exists (select from vigia.purchase
                    where organization_id = ${organizationId} and kind = ${kind}
                      and dated ~ '^(1[3-9]|2[0-9]|3[01])/[0-9]{2}/') as is_known`)

/** Whether anything was ever bought for a lane, as far as we know: listed once, owned, or a call whose outcome is unknown. */
export const hasPurchases = (sql: Sql, { organizationId, kind }: PaidLane): Promise<boolean> =>
  firstValue(sql`
    select exists (select from vigia.purchase where organization_id = ${organizationId} and kind = ${kind})
        or exists (select from vigia.lookup l
                    where l.organization_id = ${organizationId} and l.kind = ${kind}
                      and (l.remote_id is not null or l.charged <> 'no' or ${isSent(sql)})) as any`)

/** A purchase that is certainly ours, of a document that was not erased. */
type OwnPurchase = { document: string; remoteId: string; boughtAt: Date }

/** The latest of our purchases between these moments that found something, found nothing, timed out and still waits. */
export const latestOfEach = (sql: Sql, { organizationId, kind }: PaidLane, since: Date, until: Date) => sql<
  OwnPurchase[]
>`
  select own.*
    from unnest(array['ok', 'not_found', 'timed_out', 'waiting']) as reached (state)
   cross join lateral (
     select question as document, remote_id, sending_at as bought_at
       from vigia.lookup l
      where kind = ${kind} and organization_id = ${organizationId} and current and remote_id is not null
        and charged = 'yes' and state = reached.state and sending_at between ${since} and ${until}
        and not ${isErased(sql)}
      order by sending_at desc
      limit 1) as own`

/** The purchases that are certainly ours, of current look-ups, in pieces. Those of erased documents are left out. */
export const ownPurchases = (sql: Sql, { organizationId, kind }: PaidLane) =>
  sql<(Omit<OwnPurchase, 'document'> & { document: string | null })[]>`
    select case when not ${isErased(sql)} then question end as document, remote_id,
           coalesce(sending_at, adopted_at, asked_at) as bought_at
      from vigia.lookup l
     where kind = ${kind} and organization_id = ${organizationId} and current and remote_id is not null
       and charged = 'yes'`.cursor(5_000)

type Named = { id: bigint; organizationId: number; kind: Kind }

/**
 * Records that a look-up was bought although the registry names an earlier purchase of its document, unless a look-up
 * owns that one, it was deleted, or the list proves it older. Returns whether it was recorded.
 */
export const recordContradiction = (
  sql: Sql,
  { id, organizationId, kind }: Named,
  previousId: string,
  { freshSince, now }: { freshSince: Date; now: Date },
): Promise<boolean> =>
  isAny(sql`
    insert into vigia.contradiction (lookup_id, organization_id, kind, previous_id, found_at)
    select ${id}, ${organizationId}, ${kind}, ${previousId}, ${now}
     where not exists (select from vigia.lookup o
                        where o.kind = ${kind} and o.remote_id = ${previousId} collate "C" and o.organization_id = ${organizationId})
       and not exists (select from vigia.purchase p
                        where p.organization_id = ${organizationId} and p.kind = ${kind} and p.remote_id = ${previousId}
                          and (p.lookup_id is not null or p.deleted or (p.dated_to <= ${freshSince} and not vigia.is_misdated(p))))
        on conflict do nothing`)
