import type { JSONValue } from 'postgres'
import type { Sql } from './connect.ts'
import type { ListedRadar } from './radars.ts'

export type SuspiciousList = {
  organizationId: bigint
  sweepId: bigint
  reason: string
  radars: ListedRadar[]
  seenAt: Date
}

/** Keeps a list that is not believed apart; the newest per organization. */
export const keepSuspicious = (
  sql: Sql,
  list: { organizationId: number; sweepId: bigint; reason: string; radars: ListedRadar[]; seenAt: Date },
) => sql`
  insert into suspicious_list (organization_id, sweep_id, reason, radars, seen_at)
  values (${list.organizationId}, ${list.sweepId}, ${list.reason}, ${sql.json(list.radars as unknown as JSONValue)},
          ${list.seenAt})
      on conflict (organization_id) do update
     set sweep_id = excluded.sweep_id, reason = excluded.reason, radars = excluded.radars, seen_at = excluded.seen_at`

/** Takes the kept list of an organization out; nobody else gets it. */
export const takeSuspicious = async (sql: Sql, organizationId: number): Promise<SuspiciousList | null> => {
  const [row] = await sql<SuspiciousList[]>`
    delete from suspicious_list
     where organization_id = ${organizationId}
    returning organization_id as "organizationId", sweep_id as "sweepId", reason, radars, seen_at as "seenAt"`
  if (!row) return null
  const dated = row.radars.map((radar) => ({ ...radar, addedAt: radar.addedAt && new Date(radar.addedAt) }))
  return { ...row, radars: dated }
}

export const listSuspicious = (sql: Sql) => sql<(Omit<SuspiciousList, 'radars'> & { listed: number })[]>`
  select organization_id as "organizationId", sweep_id as "sweepId", reason, seen_at as "seenAt",
         jsonb_array_length(radars) as listed
    from suspicious_list
   order by organization_id`
