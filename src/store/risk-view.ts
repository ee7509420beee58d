import { classifications } from '../domain/classifications.ts'
import type { Sql } from './connect.ts'

/** What the answered documents of a batch add up to, per classification. */
export type RiskTotals = { documents: number; counts: bigint[]; cents: bigint[]; holders: number[] }

/** Each document once, however many rows repeat it. */
const answers = (sql: Sql, batchId: bigint) => sql`
  select a.lookup_id, a.counts, a.cents
    from answer a
   where a.lookup_id in (select r.lookup_id from batch_row r where r.batch_id = ${batchId}) and a.counts is not null`

export const readRiskTotals = async (sql: Sql, batchId: bigint): Promise<RiskTotals> => {
  const [row] = await sql<{ documents: number; counts: bigint[]; cents: bigint[]; holders: number[] }[]>`
    select count(*)::int as documents,
           array[${each(sql, (i) => sql`coalesce(sum(a.counts[${i}]), 0)::bigint`)}] as counts,
           array[${each(sql, (i) => sql`coalesce(sum(a.cents[${i}]), 0)::bigint`)}] as cents,
           array[${each(sql, (i) => sql`count(*) filter (where a.counts[${i}] > 0)::int`)}] as holders
      from (${answers(sql, batchId)}) as a`
  return row!
}

const each = (sql: Sql, write: (i: number) => ReturnType<typeof sql>) =>
  classifications.map((_, i) => write(i + 1)).reduce((all, one) => sql`${all}, ${one}`)

export type Exposure = {
  line: number
  question: string
  count: number | null
  cents: bigint | null
  all: bigint | null
}

/** The documents with the largest amount under a classification, one line each. */
export const readExposures = (sql: Sql, batchId: bigint, position: number, limit: number) => sql<Exposure[]>`
  select (select min(r.line) from batch_row r where r.batch_id = ${batchId} and r.lookup_id = top.lookup_id) as line,
         l.question, top.counts[${position}::int] as count, top.cents[${position}::int] as cents, top.cents[1] as all
    from (select a.lookup_id, a.counts, a.cents
            from (${answers(sql, batchId)}) as a
           order by a.cents[${position}::int] desc nulls last, a.counts[${position}::int] desc nulls last
           limit ${limit}) as top
    join lookup l on l.id = top.lookup_id
   order by top.cents[${position}::int] desc nulls last, top.counts[${position}::int] desc nulls last`
