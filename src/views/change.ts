import type { Sql } from '../store/connect.ts'

/** A change as a line of a list, with the name of its radar. */
export type ChangeLine = {
  id: bigint
  organizationId: bigint
  document: string
  name: string | null
  field: string
  verdict: string
  before: string | null
  after: string | null
  weight: bigint
  seenAt: Date
}

/** The changes of a sweep, the worst first. */
export const listSweepChanges = (sql: Sql, sweepId: bigint, limit: number) => sql<ChangeLine[]>`
  select ${changeColumns(sql)}
    from change c
    left join radar r on r.organization_id = c.organization_id and r.document = c.document
   where c.sweep_id = ${sweepId}
   order by c.weight desc, c.id
   limit ${limit}`

export const listDocumentChanges = (sql: Sql, organizationId: bigint, document: string, limit: number) => sql<
  ChangeLine[]
>`
  select ${changeColumns(sql)}
    from change c
    left join radar r on r.organization_id = c.organization_id and r.document = c.document
   where c.organization_id = ${organizationId} and c.document = ${document}
   order by c.id desc
   limit ${limit}`

const changeColumns = (sql: Sql) => sql`
  c.id, c.organization_id as "organizationId", c.document, r.name, c.field, c.verdict, c.before, c.after, c.weight,
  c.seen_at as "seenAt"`

/** The changes since a moment, the newest sweep first and in it the worst. */
export const listChangesSince = (sql: Sql, since: Date, limit: number) => sql<ChangeLine[]>`
  select ${changeColumns(sql)}
    from change c
    left join radar r on r.organization_id = c.organization_id and r.document = c.document
   where c.seen_at >= ${since}
   order by c.sweep_id desc, c.weight desc, c.id
   limit ${limit}`
