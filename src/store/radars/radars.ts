import type { JSONValue } from 'postgres'
import { weigh } from '../../domain/risk-change.ts'
import type { Message } from '../../messages/message.ts'
import { within } from '../bound.ts'
import type { Sql } from '../connect.ts'
import { messageJson } from '../messages.ts'
import { onlyRow } from '../rows.ts'

/** A radar of a list; one per document. */
export type ListedRadar = {
  document: string
  documentType: string
  linkId: string
  radarId: string
  name: string
  active: boolean
  customerType: string | null
  addedAt: Date | null
  /** When the registry itself last looked at the document. */
  processedAt?: Date | null
  /** Its other fields, as they were sent. */
  listed?: Record<string, unknown> | null
}

/** How many radars the mirror has, and how many of them a list does not show. */
export const compareSize = (
  sql: Sql,
  organizationId: number,
  documents: string[],
): Promise<{ mirrored: number; missing: number }> =>
  onlyRow(sql`
    select count(*)::int as mirrored, (count(*) filter (where not document = any(${documents}::text[])))::int as missing
      from vigia.radar
     where organization_id = ${organizationId} and removed_at is null`)

/**
 * Updates the mirror to the list, and records every difference as a change.
 *
 * The first list of an organization is a silent baseline: there was nothing before that could have changed.
 */
export const applyRadarList = async (
  sql: Sql,
  sweepId: bigint,
  organizationId: number,
  radars: ListedRadar[],
  now: Date,
): Promise<void> => {
  const listed = listedRadars(sql, radars)
  await sql`
    insert into vigia.change (sweep_id, organization_id, document, field, verdict, before, after, weight, seen_at)
    select ${sweepId}, ${organizationId}, document, field, verdict, before, after,
           (${sql.json(weights)}::jsonb ->> verdict)::bigint, ${now}
      from (select coalesce(known.document, listed.document) as document, difference.*
              from (select * from vigia.radar where organization_id = ${organizationId} and removed_at is null) as known
              full join (${listed}) as listed on listed.document = known.document
             cross join lateral (values
               ('radar', case when known.document is null then 'added' when listed.document is null then 'removed'
                              when known.active and not listed.active then 'deactivated'
                              when listed.active and not known.active then 'reactivated' end, null, null),
               ('name', case when known.name <> listed.name then 'renamed' end, known.name, listed.name))
               as difference (field, verdict, before, after)) as found
     where verdict is not null
       and exists (select from vigia.radar where organization_id = ${organizationId})
        on conflict (sweep_id, organization_id, document, field) do nothing`
  await sql`
    insert into vigia.radar (organization_id, document, document_type, link_id, radar_id, name, active, customer_type,
                       added_at, processed_at, listed, seen_at, removed_at)
    select ${organizationId}, document, "documentType", "linkId", "radarId", name, active, "customerType", "addedAt",
           "processedAt", listed, ${now}, null
      from (${listed}) as listed
     order by document
        on conflict (organization_id, document) do update
       set document_type = excluded.document_type, link_id = excluded.link_id, radar_id = excluded.radar_id,
           name = excluded.name, active = excluded.active, customer_type = excluded.customer_type,
           added_at = excluded.added_at, processed_at = excluded.processed_at, listed = excluded.listed, seen_at = excluded.seen_at, removed_at = null`
  await sql`
    update vigia.radar set removed_at = ${now}
     where organization_id = ${organizationId} and removed_at is null
       and document not in (select document from (${listed}) as listed)`
  await sql`delete from vigia.suspicious_list where organization_id = ${organizationId}`
}

const verdicts = ['added', 'removed', 'renamed', 'deactivated', 'reactivated'] as const
const weights = Object.fromEntries(verdicts.map((verdict) => [verdict, String(weigh(verdict))]))

const listedRadars = (sql: Sql, radars: ListedRadar[]) => sql`
  select *
    from json_to_recordset(${sql.json(radars as unknown as JSONValue)}::json) as listed (
      document text, "documentType" text, "linkId" text, "radarId" text, name text, active boolean, "customerType" text,
      "addedAt" timestamptz, "processedAt" timestamptz, listed jsonb)`

type SuspiciousList = {
  organizationId: bigint
  sweepId: bigint
  message: Message
  radars: ListedRadar[]
  seenAt: Date
}

/** Keeps a rejected list aside; the newest per organization. */
export const keepSuspicious = (
  sql: Sql,
  list: Omit<SuspiciousList, 'organizationId'> & { organizationId: number },
) => sql`
  insert into vigia.suspicious_list (organization_id, sweep_id, message, radars, seen_at)
  values (${list.organizationId}, ${list.sweepId}, ${messageJson(sql, list.message)}, ${sql.json(list.radars as unknown as JSONValue)},
          ${list.seenAt})
      on conflict (organization_id) do update
     set sweep_id = excluded.sweep_id, message = excluded.message, radars = excluded.radars, seen_at = excluded.seen_at`

/** Removes and returns the rejected list of an organization, so that only one caller gets it. */
export const takeSuspicious = async (sql: Sql, organizationId: number): Promise<SuspiciousList | null> => {
  const [row] = await sql<SuspiciousList[]>`
    delete from vigia.suspicious_list
     where organization_id = ${organizationId}
    returning organization_id, sweep_id, message, radars, seen_at`
  if (!row) return null
  const dated = row.radars.map((radar) => ({
    ...radar,
    addedAt: radar.addedAt && new Date(radar.addedAt),
    processedAt: radar.processedAt ? new Date(radar.processedAt) : null,
  }))
  return { ...row, radars: dated }
}

export const listSuspicious = (sql: Sql) => sql<(Omit<SuspiciousList, 'radars'> & { listed: number })[]>`
  select organization_id, sweep_id, message, seen_at, jsonb_array_length(radars) as listed
    from vigia.suspicious_list
   where ${within(sql, 'organization_id')}
   order by organization_id`
