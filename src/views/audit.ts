import { z } from 'zod'
import type { Sql } from '../store/connect.ts'
import { iso, moment } from './fields.ts'

/** Who did what to what. */
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
export const listAudit = async (sql: Sql, limit: number, before: bigint | null = null): Promise<AuditEntry[]> => {
  const rows = await sql<(Omit<AuditEntry, 'id' | 'at'> & { id: bigint; at: Date })[]>`
    select id, at, who, what, subject, detail
      from vigia.audit
     where ${before}::bigint is null or id < ${before}
     order by id desc
     limit ${limit}`
  return rows.map(({ id, at, ...entry }) => ({ id: Number(id), at: iso(at), ...entry }))
}
