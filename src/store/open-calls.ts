import type { Kind } from '../domain/kind.ts'
import type { Sql } from './connect.ts'

/**
 * The calls of a batch that may have cost something and that nobody can tell yet, by the batch that pays for them.
 *
 * `open`: on its way, in some job's hand. `inDoubt`: its answer was lost and it is not judged yet, or it is parked for
 * a person. This is what "in doubt" means on a batch, among the parked and in the metrics.
 */
export type UnsettledCalls = { open: number; inDoubt: number }

export const callsOf = async (sql: Sql, batchId: bigint, kind: Kind): Promise<UnsettledCalls> => {
  const [row] = await sql<UnsettledCalls[]>`
    select (sending.open)::int as open, (sending.lost + judged.calls)::int as "inDoubt"
      from (select count(*) filter (where l.job_id is not null) as open,
                   count(*) filter (where l.job_id is null) as lost
              from lookup l
             where l.kind = ${kind} and l.batch_id = ${batchId} and ${undecided(sql)}) as sending,
           (select count(*) as calls from lookup l where l.batch_id = ${batchId} and ${beforeAPerson(sql)}) as judged`
  return row!
}

/** The same over everything: batches of files and of sweeps. */
export const countInDoubt = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ calls: number }[]>`
    select ((select count(*) from lookup l where ${undecided(sql)} and l.job_id is null)
            + (select count(*) from lookup l where ${beforeAPerson(sql)}))::int as calls`
  return row!.calls
}

/** Sent, and not taken up to be judged; the words are those of the index `lookup_due`. */
const undecided = (sql: Sql) => sql`l.state = 'sending' and l.due_at is not null`

/** Being judged, or parked; the words are those of the index `lookup_in_doubt`. */
const beforeAPerson = (sql: Sql) => sql`(l.state = 'unknown_outcome' or (l.state = 'sending' and l.due_at is null))`

/** Paid calls of a batch of which nobody will ever know, or knows yet, whether they were charged. */
export const countUnknownCharges = async (sql: Sql, batchId: bigint): Promise<number> => {
  const [row] = await sql<{ calls: number }[]>`
    select count(*)::int as calls
      from batch_row r
      join lookup l on l.id = r.lookup_id and l.batch_id = r.batch_id
     where r.batch_id = ${batchId} and r.first and l.charged = 'unknown'`
  return row!.calls
}
