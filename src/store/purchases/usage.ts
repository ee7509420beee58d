import type { JSONValue } from 'postgres'
import type { RecordedPurchase, UsageDay } from '../../domain/usage-difference.ts'
import type { Sql } from '../connect.ts'

/** The analyses that our records have as bought, or may have bought, since a moment. */
export const recordedPurchases = (sql: Sql, organizationId: number, since: Date) => sql<RecordedPurchase[]>`
  select remote_id as id, question as document, sending_at as at, charged
    from vigia.lookup
   where organization_id = ${organizationId} and kind = 'analysis' and charged <> 'no' and sending_at >= ${since}
     and not (state = 'sending' and charged = 'unknown')`

/** Replaces the usage of these days. */
export const writeUsage = (sql: Sql, organizationId: number, days: UsageDay[], now: Date) => sql`
  insert into vigia.usage_day (organization_id, day, reported, recorded, differing, read_at)
  select ${organizationId}, day, reported, recorded, differing, ${now}
    from json_to_recordset(${sql.json(days as unknown as JSONValue)}::json) as read (
      day date, reported int, recorded int, differing jsonb)
      on conflict (organization_id, day) do update
     set reported = excluded.reported, recorded = excluded.recorded, differing = excluded.differing, read_at = excluded.read_at`
