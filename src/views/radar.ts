import type { Sql } from '../store/connect.ts'

/** A radar with what its last verified snapshot said. */
export type RadarLine = {
  organizationId: bigint
  document: string
  name: string
  active: boolean
  addedAt: Date | null
  removedAt: Date | null
  verifiedAt: Date | null
  processes: number | null
  cents: bigint | null
}

type RadarFilter = {
  search?: string
  document?: string
  after?: { name: string; document: string }
  limit: number
}

/** By name, a page at a time; those that the registry no longer lists come with the day they went. */
export const listRadars = (sql: Sql, { search, document, after, limit }: RadarFilter) => sql<RadarLine[]>`
  select r.organization_id as "organizationId", r.document, r.name, r.active, r.added_at as "addedAt",
         r.removed_at as "removedAt", s.verified_at as "verifiedAt", s.processes, s.cents
    from radar r
    left join lateral (
         select verified_at, processes, cents[1] as cents
           from snapshot
          where organization_id = r.organization_id and document = r.document and verified_at is not null
          order by sweep_id desc
          limit 1) as s on true
   where (${search ?? null}::text is null or strpos(lower(r.name), lower(${search ?? null})) > 0
          or r.document = ${document ?? null})
     and (${after?.name ?? null}::text is null or (r.name, r.document) > (${after?.name ?? null}, ${after?.document ?? null}))
   order by r.name, r.document
   limit ${limit}`

export const countRadars = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from radar where active and removed_at is null`
  return row?.count ?? 0
}

export const readRadar = async (sql: Sql, organizationId: bigint, document: string): Promise<RadarLine | null> => {
  const [row] = await sql<RadarLine[]>`
    select organization_id as "organizationId", document, name, active, added_at as "addedAt",
           removed_at as "removedAt", null as "verifiedAt", null as processes, null as cents
      from radar
     where organization_id = ${organizationId} and document = ${document}`
  return row ?? null
}

export type HistoryPoint = {
  sweepId: bigint
  verifiedAt: Date
  processes: number | null
  count: number | null
  cents: bigint | null
}

/** The last verified snapshots of a document, oldest first. */
export const readHistory = (sql: Sql, organizationId: bigint, document: string, limit: number) => sql<HistoryPoint[]>`
  select "sweepId", "verifiedAt", processes, count, cents
    from (select sweep_id as "sweepId", verified_at as "verifiedAt", processes, counts[1] as count, cents[1] as cents
            from snapshot
           where organization_id = ${organizationId} and document = ${document} and verified_at is not null
           order by sweep_id desc
           limit ${limit}) as newest
   order by "sweepId"`
