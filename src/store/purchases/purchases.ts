import type { Fragment, JSONValue, PendingQuery } from 'postgres'
import type { Purchase } from '../../domain/judge.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Sql, Transaction } from '../connect.ts'
import { isSent } from '../lookups/intents.ts'
import { isErased } from '../lookups/lookup-rows.ts'
import { historyLine, messageJson } from '../messages.ts'
import { purchaseKeys } from '../person-key.ts'

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
export const recordPurchases = async (
  sql: Sql,
  { organizationId, kind }: PaidLane,
  listSnapshotId: bigint,
  page: LedgerEntry[],
): Promise<boolean> => {
  const [row] = await sql<{ agrees: boolean }[]>`
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
                        where known.document not in (listed.document, '')) as agrees`
  return row!.agrees
}

/** What says something about a person; an erased one stays erased, however often the list shows them. */
const ifKnown = (sql: Sql, value: Fragment) => sql`case when known.document <> '' then ${value} end`

/** The purchases of these documents that no look-up owns. */
export const unownedPurchases = async (
  sql: Sql,
  { organizationId, kind }: PaidLane,
  documents: string[],
): Promise<Map<string, Purchase[]>> => {
  const rows = await sql<(Purchase & { document: string; remoteId: string; remoteKey: string | null })[]>`
    select p.document, p.remote_id as "remoteId", p.remote_key as "remoteKey", p.dated,
           case when not vigia.is_misdated(p) then p.dated_from end as "datedFrom",
           case when not vigia.is_misdated(p) then p.dated_to end as "datedTo", p.status as seen, p.deleted, p.list_snapshot_id as "listSnapshotId", ${mayBeOthers(sql)} as "mayBeOthers"
      from vigia.purchase p
     where p.document = any(${documents}::text[]) and p.kind = ${kind} and p.organization_id = ${organizationId}
       and ${isUnowned(sql)}
     order by p.list_snapshot_id, p.remote_id`
  const purchases = rows.map((row) => ({ ...row, remote: { id: row.remoteId, key: row.remoteKey } }))
  return Map.groupBy(purchases, ({ document }) => document)
}

const isUnowned = (sql: Sql) => sql`
  (p.lookup_id is null and not exists (select from vigia.lookup o where vigia.owns(o, p)))`

const mayBeOthers = (sql: Sql) => sql`exists (select from vigia.lookup o where vigia.may_own(o, p))`

/** What may be adopted instead of bought: it is nobody else's, was not deleted, and no date proves it older than that. */
export const isAdoptable = (sql: Sql, freshSince: Date) => sql`
  (not p.deleted and (p.dated_to is null or p.dated_to > ${freshSince} or vigia.is_misdated(p)) and ${isUnowned(sql)} and not ${mayBeOthers(sql)})`

/** May be a purchase of ours that the database has lost: no date proves it younger than the database, in any zone. */
const mayBeForgotten = (sql: Sql) => sql`
  exists (select from vigia.fleet f
           where f.list_read_after > '-infinity'
             and (p.dated_from is null or p.dated_from <= f.list_read_after + interval '1 day'))`

/** Which purchases are adopted: any of the organization, or only those that may be lost ones of ours. */
type Adoption = { of: 'any' | 'forgotten'; freshSince: Date; deadlineAt: Date; now: Date }

/**
 * Lets queued look-ups adopt what their organization has bought already: they are consulted, and cost nothing.
 *
 * All of a batch, or those named, locked first; in a transaction. The cost of their batch falls by as many. What we bought
 * ourselves for a person who was erased since is adopted whatever the settings say.
 */
export const adoptBought = async (
  sql: Transaction,
  scope: { batchId: bigint } | { ids: bigint[] },
  { of, freshSince, deadlineAt, now }: Adoption,
): Promise<bigint[]> => {
  const scoped = 'ids' in scope ? sql`l.id = any(${scope.ids}::bigint[])` : sql`l.batch_id = ${scope.batchId}`
  await restoreErased(sql, scoped, freshSince)
  const offered = sql`
    vigia.lookup l
    join vigia.purchase p on p.document = l.question and p.kind = l.kind and p.organization_id = l.organization_id
                   and l.state = 'queued' and l.current and ${isAdoptable(sql, freshSince)}
                   ${of === 'forgotten' ? sql`and (p.bought_at is not null or ${mayBeForgotten(sql)})` : sql``}`
  const candidates = await sql<{ id: bigint }[]>`
    select l.id
      from ${offered}
     where ${scoped}
     order by l.id
       for no key update of l`
  if (candidates.length === 0) return []
  const before = (ours: Fragment, others: Fragment) => sql`case when found.is_ours then ${ours} else ${others} end`
  const rows = await sql<{ id: bigint }[]>`
    with found as (
      select distinct on (l.id) l.id, p.remote_id, p.remote_key, p.dated, p.bought_at is not null as is_ours, p.registry_name
        from ${offered}
       where l.id = any(${candidates.map(({ id }) => id)}::bigint[]) and not ${isSent(sql)}
       order by l.id, p.dated_to desc nulls last, p.remote_id desc),
    adopted as (
      update vigia.lookup l
         set state = 'waiting', remote_id = found.remote_id, remote_key = found.remote_key, adopted_at = ${now},
             registry_name = found.registry_name, due_at = ${now}, deadline_at = ${deadlineAt}, attempts = 0, charged = 'no',
             message = ${before(sql`${messageJson(sql, ['bought_before'])}::jsonb`, sql`jsonb_build_array('bought_elsewhere', found.dated)`)},
             trace = array_append(trace, ${before(sql`${historyLine(now, ['adopted_again'])}`, sql`${historyLine(now, ['adopted_elsewhere'])}`)})
        from found
       where l.id = found.id and l.state = 'queued'
      returning l.id, l.batch_id),
    owed as (
      update vigia.batch b set to_be_paid = greatest(b.to_be_paid - less.units, 0), adopted = b.adopted + less.units
        from (select batch_id, count(*)::int as units from adopted group by batch_id) as less
       where b.id = less.batch_id)
    select id from adopted`
  return rows.map(({ id }) => id)
}

/** Whether the registry is known to write the day before the month, by any purchase of this lane. */
export const isKnownDayFirst = async (sql: Sql, { organizationId, kind }: PaidLane): Promise<boolean> => {
  const [row] = await sql<{ isKnown: boolean }[]>`
    select exists (select from vigia.purchase
                    where organization_id = ${organizationId} and kind = ${kind}
                      and dated ~ '^(1[3-9]|2[0-9]|3[01])/[0-9]{2}/') as "isKnown"`
  return row!.isKnown
}

/** Whether anything was ever bought for a lane, as far as we know: listed once, owned, or a call whose outcome is unknown. */
export const hasPurchases = async (sql: Sql, { organizationId, kind }: PaidLane): Promise<boolean> => {
  const [row] = await sql<{ any: boolean }[]>`
    select exists (select from vigia.purchase where organization_id = ${organizationId} and kind = ${kind})
        or exists (select from vigia.lookup l
                    where l.organization_id = ${organizationId} and l.kind = ${kind}
                      and (l.remote_id is not null or l.charged <> 'no' or ${isSent(sql)})) as any`
  return row!.any
}

/** Purchases of erased people who are asked about again get their documents back, and may be adopted. */
const restoreErased = async (sql: Transaction, scoped: Fragment, freshSince: Date): Promise<void> => {
  const asked = sql<AskedLane[]>`
    select l.question, l.organization_id as "organizationId", l.kind
      from vigia.lookup l
     where ${scoped} and l.state = 'queued' and l.current`
  const again = await findErasedAgain(sql, asked, freshSince)
  if (again.length === 0) return
  await sql`
    update vigia.purchase p set document = again.document, person_key = null, lookup_id = null
      from unnest(${again.map(({ key }) => key)}::text[], ${again.map(({ question }) => question)}::text[],
                  ${again.map(({ organizationId }) => organizationId)}::bigint[], ${again.map(({ kind }) => kind)}::text[])
           as again (key, document, organization_id, kind)
     where p.person_key = again.key and p.organization_id = again.organization_id and p.kind = again.kind
       and ${isErasedAndFresh(sql, freshSince)}`
}

type AskedLane = { question: string; organizationId: bigint; kind: Kind }

/** Those of these questions that are about erased people whose purchase is still fresh. */
export const findErasedAgain = async (
  sql: Transaction,
  asked: PendingQuery<AskedLane[]>,
  freshSince: Date,
): Promise<(AskedLane & { key: string })[]> => {
  const kept = await sql<{ organizationId: bigint; kind: Kind; key: string }[]>`
    select p.organization_id as "organizationId", p.kind, p.person_key as key
      from vigia.purchase p
     where ${isErasedAndFresh(sql, freshSince)}`
  if (kept.length === 0) return []
  const nameOf = ({ organizationId, kind, key }: (typeof kept)[number]) => `${organizationId} ${kind} ${key}`
  const known = new Set(kept.map(nameOf))
  const keyOf = await purchaseKeys(sql)
  const again: (AskedLane & { key: string })[] = []
  for await (const rows of asked.cursor(5_000)) {
    again.push(...rows.map((row) => ({ ...row, key: keyOf(row.question) })).filter((row) => known.has(nameOf(row))))
  }
  return again
}

const isErasedAndFresh = (sql: Sql, freshSince: Date) => sql`
  (p.person_key is not null and not p.deleted and (p.bought_at is null or p.bought_at > ${freshSince}))`

/** A purchase that is certainly ours, of a document that was not erased. */
type OwnPurchase = { document: string; remoteId: string; boughtAt: Date }

/** The latest of our purchases between these moments that found something, found nothing, timed out and still waits. */
export const latestOfEach = (sql: Sql, { organizationId, kind }: PaidLane, since: Date, until: Date) => sql<
  OwnPurchase[]
>`
  select own.*
    from unnest(array['ok', 'not_found', 'timed_out', 'waiting']) as reached (state)
   cross join lateral (
     select question as document, remote_id as "remoteId", sending_at as "boughtAt"
       from vigia.lookup l
      where kind = ${kind} and organization_id = ${organizationId} and current and remote_id is not null
        and charged = 'yes' and state = reached.state and sending_at between ${since} and ${until}
        and not ${isErased(sql)}
      order by sending_at desc
      limit 1) as own`

/** The purchases that are certainly ours, of current look-ups, in pieces. Those of erased documents are left out. */
export const ownPurchases = (sql: Sql, { organizationId, kind }: PaidLane) =>
  sql<(Omit<OwnPurchase, 'document'> & { document: string | null })[]>`
    select case when not ${isErased(sql)} then question end as document, remote_id as "remoteId",
           coalesce(sending_at, adopted_at, asked_at) as "boughtAt"
      from vigia.lookup l
     where kind = ${kind} and organization_id = ${organizationId} and current and remote_id is not null
       and charged = 'yes'`.cursor(5_000)
