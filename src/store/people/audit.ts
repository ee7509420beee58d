import type { JSONValue } from 'postgres'
import type { Sql } from '../connect.ts'

/** Who did what to what. No document stands in it, only ids. */
export const recordAudit = (
  sql: Sql,
  who: string,
  what: string,
  subject: string,
  detail: Record<string, JSONValue> = {},
) => sql`
  insert into audit (who, what, subject, detail) values (${who}, ${what}, ${subject}, ${sql.json(detail)})`

export type AuditEntry = { id: bigint; at: Date; who: string; what: string; subject: string; detail: unknown }

export const listAudit = (sql: Sql, limit: number, before: bigint | null = null) => sql<AuditEntry[]>`
  select id, at, who, what, subject, detail
    from audit
   where ${before}::bigint is null or id < ${before}
   order by id desc
   limit ${limit}`
