import { z } from 'zod'
import { within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { type ListedRadar, listSuspicious } from '../store/radars/radars.ts'
import { isVerified } from '../store/radars/snapshots.ts'
import { firstRow, firstValue } from '../store/rows.ts'
import { pair, toPairs } from './answer.ts'
import { bigId, masked, maskedDocument, message, moment, type RowOf, toView } from './fields.ts'

/** One monitored document, with the figures of its last verified snapshot. */
const line = z.object({
  organization: bigId,
  document: maskedDocument,
  documentType: z.string(),
  linkId: z.string().nullable(),
  radarId: z.string().nullable(),
  name: masked,
  active: z.boolean(),
  customerType: z.string().nullable(),
  added: moment.nullable(),
  seenAt: moment.describe('when the registry last listed it'),
  removed: moment.nullable(),
  processed: moment.nullable().describe('when the registry itself last looked at the document'),
  verified: moment.nullable(),
  processes: z.int().nullable(),
})
export type RadarLine = RowOf<typeof line> & Pick<ListedRadar, 'listed'> & { cents: bigint | null }

export const radar = line.extend({
  fields: z.array(pair).describe('the other fields of the registry about it, by their names there'),
})

export const toRadarView = (each: RadarLine, unmasked?: boolean): z.output<typeof radar> => ({
  ...toView(line, each, unmasked),
  fields: toPairs(each.listed, unmasked),
})

type RadarFilter = {
  search?: string
  document?: string
  organization?: bigint
  /** Leaves out radars that the registry no longer lists. */
  listed?: boolean
  after?: Pick<RadarLine, 'name' | 'document' | 'organization'>
  limit: number
}

/** By name, a page at a time; radars that the registry no longer lists have the day of their removal. */
export const listRadars = (sql: Sql, { search, document, organization: of, listed, after, limit }: RadarFilter) => sql<
  RadarLine[]
>`
  ${selectRadars(sql)}
   where (${search ?? null}::text is null or strpos(lower(r.name), lower(${search ?? null})) > 0
          or r.document = ${document ?? null})
     and (${after?.name ?? null}::text is null or (r.name, r.document, r.organization_id)
          > (${after?.name ?? null}, ${after?.document ?? null}, ${after?.organization ?? null}::bigint))
     and (${of ?? null}::bigint is null or r.organization_id = ${of ?? null})
     and (r.removed_at is null or not ${listed ?? false}) and ${within(sql, 'r.organization_id')}
   order by r.name, r.document, r.organization_id
   limit ${limit}`

export const readRadar = (sql: Sql, of: bigint, document: string): Promise<RadarLine | null> =>
  firstRow(sql`
    ${selectRadars(sql)} where r.organization_id = ${of} and r.document = ${document} and ${within(sql, 'r.organization_id')}`)

/** The radars of a document, of every organization. */
export const readRadarsOf = (sql: Sql, document: string) => sql<RadarLine[]>`
  ${selectRadars(sql)} where r.document = ${document} and ${within(sql, 'r.organization_id')} order by r.organization_id`

const selectRadars = (sql: Sql) => sql`
  select r.organization_id as organization, r.document, r.document_type, r.link_id, r.radar_id, r.name, r.active,
         r.customer_type, r.added_at as added, r.seen_at, r.removed_at as removed, r.processed_at as processed,
         r.listed, s.verified_at as verified, s.processes, s.cents
    from vigia.radar r
    left join lateral (
         select s.verified_at, s.processes, s.cents[1] as cents
           from vigia.snapshot s
          where s.organization_id = r.organization_id and s.document = r.document and ${isVerified(sql)}
          order by s.sweep_id desc
          limit 1) as s on true`

export const countRadars = (sql: Sql): Promise<number> =>
  firstValue(sql`
    select count(*)::int as count from vigia.radar
     where active and removed_at is null and ${within(sql, 'organization_id')}`)

/** A rejected list of radars, until a person accepts it. */
export const suspiciousList = z.object({
  organizationId: bigId,
  sweepId: bigId,
  reason: message,
  seenAt: moment,
  listed: z.int().describe('how many radars it has'),
})

export const readSuspicious = async (sql: Sql): Promise<z.output<typeof suspiciousList>[]> =>
  (await listSuspicious(sql)).map((list) => toView(suspiciousList, { ...list, reason: list.message }))

/** The response to a person who accepted a rejected list: how many radars the organization has now. */
export const acceptedList = z.object({ organization: z.int(), radars: z.int() })

export type HistoryPoint = {
  sweepId: bigint
  verifiedAt: Date
  processes: number | null
  count: number | null
  cents: bigint | null
}

/** The last verified snapshots of a document, oldest first. */
export const readHistory = (sql: Sql, of: bigint, document: string, limit: number) => sql<HistoryPoint[]>`
  select *
    from (select s.sweep_id, s.verified_at, s.processes, s.counts[1] as count, s.cents[1] as cents
            from vigia.snapshot s
           where s.organization_id = ${of} and s.document = ${document} and ${isVerified(sql)}
           order by s.sweep_id desc
           limit ${limit}) as newest
   order by sweep_id`
