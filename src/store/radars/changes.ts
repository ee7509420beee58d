import type { RiskChange, Verdict } from '../../domain/risk-change.ts'
import type { Sql } from '../connect.ts'

type NewChange = RiskChange & { organizationId: bigint; document: string }

export type Change = {
  id: bigint
  sweepId: bigint
  organizationId: bigint
  document: string
  name: string | null
  field: string
  verdict: Verdict
  before: string | null
  after: string | null
  weight: bigint
  seenAt: Date
}

/** Records changes of a sweep; those it has recorded before stay as they are. */
export const insertChanges = async (sql: Sql, sweepId: bigint, changes: NewChange[], now: Date): Promise<void> => {
  if (changes.length === 0) return
  await sql`
    insert into change (sweep_id, organization_id, document, field, verdict, before, after, weight, seen_at)
    select ${sweepId}, organization_id, document, field, verdict, before, after, weight, ${now}
      from unnest(${changes.map((c) => c.organizationId)}::bigint[], ${changes.map((c) => c.document)}::text[],
                  ${changes.map((c) => c.field)}::text[], ${changes.map((c) => c.verdict)}::text[],
                  ${changes.map((c) => c.before)}::text[], ${changes.map((c) => c.after)}::text[],
                  ${changes.map((c) => c.weight)}::bigint[])
           as found (organization_id, document, field, verdict, before, after, weight)
        on conflict (sweep_id, organization_id, document, field) do nothing`
}

/** Worst first. */
export const listChanges = (
  sql: Sql,
  filter: { since?: Date; sweepId?: bigint; document?: string; limit: number },
) => sql<Change[]>`
  select ${changeColumns(sql)}
    from change c
    left join radar r on r.organization_id = c.organization_id and r.document = c.document
   where (${filter.since ?? null}::timestamptz is null or c.seen_at >= ${filter.since ?? null})
     and (${filter.sweepId ?? null}::bigint is null or c.sweep_id = ${filter.sweepId ?? null})
     and (${filter.document ?? null}::text is null or c.document = ${filter.document ?? null})
   order by c.weight desc, c.id
   limit ${filter.limit}`

/** Every change that the sweeps of one local day found, worst first. */
export async function* streamChangesOfDay(sql: Sql, day: string, timezone: string): AsyncGenerator<Change[]> {
  const rows = sql<Change[]>`
    select ${changeColumns(sql)}
      from change c
      join sweep s on s.id = c.sweep_id
      left join radar r on r.organization_id = c.organization_id and r.document = c.document
     where (s.started_at at time zone ${timezone})::date = ${day}::date
     order by c.weight desc, c.id`
  yield* rows.cursor(1_000)
}

const changeColumns = (sql: Sql) => sql`
  c.id, c.sweep_id as "sweepId", c.organization_id as "organizationId", c.document, r.name, c.field, c.verdict,
  c.before, c.after, c.weight, c.seen_at as "seenAt"`
