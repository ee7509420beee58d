import { z } from 'zod'
import { boundsOf, within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { moment, toJson } from './fields.ts'

/** An entry of the audit log: who did what to what. */
export const auditEntry = z.object({
  id: z.int(),
  at: moment,
  who: z.string(),
  what: z.string(),
  subject: z.string(),
  detail: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.output<typeof auditEntry>

/** Newest first, a page at a time. */
export const listAudit = async (sql: Sql, limit: number, before?: bigint): Promise<AuditEntry[]> =>
  toJson(
    await sql`
    select id, at, who, what, subject, detail
      from vigia.audit
     where (${before ?? null}::bigint is null or id < ${before ?? null}) and ${isOfBounds(sql)}
     order by id desc
     limit ${limit}`,
  )

/**
 * An operator who is limited to some organizations sees only entries whose subject belongs to one of them. Operators
 * without a limit also see actions on the installation.
 */
const isOfBounds = (sql: Sql) => {
  const organizations = boundsOf(sql)
  const numberAfter = (name: string) => sql`substring(subject from ${`^${name} ([0-9]{1,18})`})::bigint`
  const among = (table: string, name: string) =>
    sql`exists (select from ${sql(table)} where id = ${numberAfter(name)} and ${within(sql, 'organization_id')})`
  return organizations
    ? sql`(${among('vigia.batch', 'batch')} or ${among('vigia.lookup', 'look-up')} or ${among('vigia.change', 'change')}
        or ${among('vigia.column_choice', 'columns')} or ${numberAfter('organization')} = any(${organizations}::bigint[])
        or substring(subject from '^([0-9]{1,18})/')::bigint = any(${organizations}::bigint[])
        or subject in (select 'portfolio ' || name from vigia.portfolio where ${within(sql, 'organization_id')}))`
    : sql`true`
}
