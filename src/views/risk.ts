import { classifications } from '../domain/classifications.ts'
import type { Database, Sql } from '../store/connect.ts'

/** What the answered documents of a batch add up to, per classification. */
export type RiskTotals = { documents: number; counts: bigint[]; cents: bigint[]; holders: number[] }

/** The sums that were kept, unless rows were answered since; adding a million up takes seconds. */
export const readKeptTotals = async (sql: Sql, batchId: bigint): Promise<RiskTotals | null> => {
  const [row] = await sql<RiskTotals[]>`
    select t.documents, t.counts, t.cents, t.holders
      from risk_total t
     where t.batch_id = ${batchId} and t.answered = ${answeredRows(sql, batchId)}`
  return row ?? null
}

export const addUpTotals = async (sql: Sql, batchId: bigint): Promise<RiskTotals> => {
  const [row] = await sql<RiskTotals[]>`select documents, counts, cents, holders from (${sums(sql, batchId)}) as s`
  return row!
}

/** Adds a batch up and keeps the sums. */
export const keepTotals = async (sql: Sql, batchId: bigint): Promise<void> => {
  await sql`
    insert into risk_total (batch_id, answered, documents, counts, cents, holders)
    select ${batchId}, ${answeredRows(sql, batchId)}, s.documents, s.counts, s.cents, s.holders
      from (${sums(sql, batchId)}) as s
        on conflict (batch_id) do update
       set answered = excluded.answered, documents = excluded.documents, counts = excluded.counts,
           cents = excluded.cents, holders = excluded.holders`
}

const answeredRows = (sql: Sql, batchId: bigint) => sql`
  coalesce((select c.rows from batch_count c where c.batch_id = ${batchId} and c.state = 'ok'), 0)`

/** Element by element in one pass; each document once, however many rows repeat it. */
const sums = (sql: Sql, batchId: bigint) => sql`
  select count(*)::int as documents,
         array[${each(sql, (i) => sql`coalesce(sum(a.counts[${i}]), 0)::bigint`)}] as counts,
         array[${each(sql, (i) => sql`coalesce(sum(a.cents[${i}]), 0)::bigint`)}] as cents,
         array[${each(sql, (i) => sql`count(*) filter (where a.counts[${i}] > 0)::int`)}] as holders
    from answer a
   where a.lookup_id in (select r.lookup_id from batch_row r where r.batch_id = ${batchId}) and a.counts is not null`

const each = (sql: Sql, write: (i: number) => ReturnType<typeof sql>) =>
  classifications.map((_, i) => write(i + 1)).reduce((all, one) => sql`${all}, ${one}`)

export type Exposure = { line: number; question: string; count: number | null; cents: bigint | null }

/** The documents with the largest amount under a classification, one line each. */
export const readExposures = (sql: Database, batchId: bigint, position: number, limit: number) =>
  sql.begin(async (tx): Promise<Exposure[]> => {
    // The rows of a million fit into memory with this; with the usual 4 MB they are written to disk, and read again.
    await tx`set local work_mem = '64MB'`
    return tx<Exposure[]>`
      select (select min(r.line) from batch_row r where r.batch_id = ${batchId} and r.lookup_id = a.lookup_id) as line,
             (select l.question from lookup l where l.id = a.lookup_id) as question,
             a.counts[${position}::int] as count, a.cents[${position}::int] as cents
        from answer a
       where exists (select from batch_row r where r.batch_id = ${batchId} and r.lookup_id = a.lookup_id)
         and a.counts is not null
       order by a.cents[${position}::int] desc nulls last, a.counts[${position}::int] desc nulls last
       limit ${limit}`
  })
