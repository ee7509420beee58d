import type { Kind } from '../../domain/kind.ts'
import type { Sql } from '../connect.ts'
import type { PaidLane } from './purchases.ts'

type Named = { id: bigint; organizationId: number; kind: Kind }

/**
 * Records that a look-up was bought although the registry names an earlier purchase of its document, unless a look-up
 * owns that one, it was deleted, or the list proves it older. Returns whether it was recorded.
 */
export const recordContradiction = async (
  sql: Sql,
  { id, organizationId, kind }: Named,
  previousId: string,
  { freshSince, now }: { freshSince: Date; now: Date },
): Promise<boolean> => {
  const rows = await sql`
    insert into vigia.contradiction (lookup_id, organization_id, kind, previous_id, found_at)
    select ${id}, ${organizationId}, ${kind}, ${previousId}, ${now}
     where not exists (select from vigia.lookup o
                        where o.kind = ${kind} and o.remote_id = ${previousId} collate "C" and o.organization_id = ${organizationId})
       and not exists (select from vigia.purchase p
                        where p.organization_id = ${organizationId} and p.kind = ${kind} and p.remote_id = ${previousId}
                          and (p.lookup_id is not null or p.deleted or (p.dated_to <= ${freshSince} and not vigia.is_misdated(p))))
        on conflict do nothing
    returning lookup_id`
  return rows.length > 0
}

/** When the registry last contradicted the ledger of a lane; null if it never did. */
export const latestContradiction = async (sql: Sql, { organizationId, kind }: PaidLane): Promise<Date | null> => {
  const [row] = await sql<{ foundAt: Date | null }[]>`
    select max(found_at) as "foundAt" from vigia.contradiction where organization_id = ${organizationId} and kind = ${kind}`
  return row?.foundAt ?? null
}
