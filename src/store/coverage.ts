import type { Coverage } from '../domain/coverage.ts'
import type { Sql } from './connect.ts'

/** What a radar sweep proved, counted from its snapshots and changes. */
export const coverageOf = async (sql: Sql, sweepId: bigint): Promise<Coverage> => {
  const reasons = await sql<{ unverified: string | null; documents: number }[]>`
    select unverified, count(*)::int as documents
      from snapshot
     where sweep_id = ${sweepId}
     group by unverified`
  const [changed] = await sql<{ documents: number }[]>`
    select count(distinct (organization_id, document))::int as documents from change where sweep_id = ${sweepId}`
  const due = reasons.reduce((sum, { documents }) => sum + documents, 0)
  const unverified = Object.fromEntries(
    reasons.flatMap(({ unverified, documents }) => (unverified === null ? [] : [[unverified, documents]])),
  )
  const verified = due - Object.values(unverified).reduce((sum, documents) => sum + documents, 0)
  return { due, verified, changed: changed?.documents ?? 0, unverified }
}

export type Unverified = { organizationId: bigint; document: string; unverified: string; tries: number }

/** The documents that a sweep could not look at, by name. */
export const listUnverified = (sql: Sql, sweepId: bigint, limit: number) => sql<Unverified[]>`
  select organization_id as "organizationId", document, unverified, tries
    from snapshot
   where sweep_id = ${sweepId} and unverified is not null
   order by organization_id, document
   limit ${limit}`
