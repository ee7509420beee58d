import type { JSONValue } from 'postgres'
import type { Sql } from '../connect.ts'

/** Who did what to what. It contains no document, only ids. */
export const recordAudit = (
  sql: Sql,
  who: string,
  what: string,
  subject: string,
  detail: Record<string, JSONValue> = {},
) => sql`
  insert into vigia.audit (who, what, subject, detail) values (${who}, ${what}, ${subject}, ${sql.json(detail)})`
