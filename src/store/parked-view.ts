import type { Kind } from '../domain/kind.ts'
import type { Sql } from './connect.ts'

/** Of the calls in doubt, those that wait for a person; the others are being judged. By the index `lookup_in_doubt`. */
export const countParked = async (sql: Sql): Promise<number> => {
  const [row] = await sql<
    { calls: number }[]
  >`select count(*)::int as calls from lookup where state = 'unknown_outcome'`
  return row!.calls
}

/** Batches with rows that may have been bought: their counts tell, so no row is looked at. */
export const listBatchesInDoubt = (sql: Sql) => sql<{ id: bigint; name: string; kind: Kind; rows: number }[]>`
  select b.id, b.name, b.kind, c.rows
    from batch_count c
    join batch b on b.id = c.batch_id
   where c.state = 'unknown_outcome' and c.rows > 0
   order by b.id`
