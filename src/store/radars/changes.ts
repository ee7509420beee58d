import type { RiskChange, Verdict } from '../../domain/risk-change.ts'
import type { Sql } from '../connect.ts'

export type NewChange = Omit<RiskChange, 'verdict' | 'before' | 'after'> & {
  organizationId: bigint
  document: string
  verdict: Verdict
  before: string | null
  after: string | null
}

/** Records changes of a sweep; those that were recorded before stay as they are. */
export const insertChanges = async (sql: Sql, sweepId: bigint, changes: NewChange[], now: Date): Promise<void> => {
  if (changes.length === 0) return
  await sql`
    insert into vigia.change (sweep_id, organization_id, document, field, verdict, before, after, weight, seen_at)
    select ${sweepId}, organization_id, document, field, verdict, before, after, weight, ${now}
      from unnest(${changes.map((c) => c.organizationId)}::bigint[], ${changes.map((c) => c.document)}::text[],
                  ${changes.map((c) => c.field)}::text[], ${changes.map((c) => c.verdict)}::text[],
                  ${changes.map((c) => c.before)}::text[], ${changes.map((c) => c.after)}::text[],
                  ${changes.map((c) => c.weight)}::bigint[])
           as found (organization_id, document, field, verdict, before, after, weight)
        on conflict (sweep_id, organization_id, document, field) do nothing`
}
