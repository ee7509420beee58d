import type { Fragment } from 'postgres'
import {
  type Classification,
  classifications,
  isRiskClass,
  type SearchStatuses,
  withoutUnsearched,
} from '../../domain/classifications.ts'
import type { Weights } from '../../domain/exposure.ts'
import { within } from '../bound.ts'
import type { Database, Sql } from '../connect.ts'
import { type FigureRow, firstRow, firstValue, onlyRow, splitFigures } from '../rows.ts'

/** The totals of a batch's answered documents, per classification; null if the registry sent no figure for any of them. */
export type RiskTotals = {
  documents: number
  counts: (bigint | null)[]
  cents: (bigint | null)[]
  holders: (number | null)[]
  /** Documents with a count above zero in a risk class, and those with a missing figure and none above zero. */
  atRisk: number
  unclear: number
  /** The largest amount of a risk class of each document at risk, added up: classes overlap. */
  atRiskCents: bigint | null
}

/** The stored totals, unless rows were answered since; computing a million rows takes seconds. */
export const readKeptTotals = (sql: Sql, batchId: bigint): Promise<RiskTotals | null> =>
  firstRow(sql`
    select ${totals(sql)} from vigia.risk_total t
     where t.batch_id = ${batchId} and t.at_risk is not null and t.answered = ${answeredRows(sql, batchId)}`)

export const addUpTotals = (sql: Sql, batchId: bigint): Promise<RiskTotals> =>
  onlyRow(sql`select ${totals(sql)} from (${sums(sql, batchId)}) as s`)

/** Stored, or added up now. */
export const readRiskTotals = async (sql: Sql, batchId: bigint): Promise<RiskTotals> =>
  (await readKeptTotals(sql, batchId)) ?? (await addUpTotals(sql, batchId))

const totals = (sql: Sql) => sql`
  documents, counts, cents, holders, at_risk, unclear, at_risk_cents`

/** Computes the totals of a batch and stores them. */
export const keepTotals = async (sql: Sql, batchId: bigint): Promise<void> => {
  await sql`
    insert into vigia.risk_total (batch_id, answered, documents, counts, cents, holders, at_risk, unclear, at_risk_cents)
    select ${batchId}, ${answeredRows(sql, batchId)}, s.documents, s.counts, s.cents, s.holders,
           s.at_risk, s.unclear, s.at_risk_cents
      from (${sums(sql, batchId)}) as s
        on conflict (batch_id) do update
       set answered = excluded.answered, documents = excluded.documents, counts = excluded.counts,
           cents = excluded.cents, holders = excluded.holders,
           at_risk = excluded.at_risk, unclear = excluded.unclear, at_risk_cents = excluded.at_risk_cents`
}

const answeredRows = (sql: Sql, batchId: bigint) => sql`
  coalesce((select c.rows from vigia.batch_count c where c.batch_id = ${batchId} and c.state = 'ok'), 0)`

/** Element by element in one pass; each document once, however many rows repeat it. A sum beyond bigint is null. */
const sums = (sql: Sql, batchId: bigint) => sql`
  select count(*)::int as documents,
         array[${each(sql, (i) => sql`sum(a.counts[${i}])::bigint`)}] as counts,
         array[${each(sql, (i) => bounded(sql, sql`sum(a.cents[${i}])`))}] as cents,
         array[${each(sql, (i) => sql`sum((a.counts[${i}] > 0)::int)::int`)}] as holders,
         count(*) filter (where ${ofRisk(sql, 'counts')} > 0)::int as at_risk,
         count(*) filter (where coalesce(${ofRisk(sql, 'counts')}, 0) = 0 and (${missing(sql)}))::int as unclear,
         ${bounded(sql, sql`sum(${ofRisk(sql, 'cents')}) filter (where ${ofRisk(sql, 'counts')} > 0)`)} as at_risk_cents
    from vigia.answer a
   where a.lookup_id in (select r.lookup_id from vigia.batch_row r where r.batch_id = ${batchId} and vigia.shows_answer(r))
     and a.counts is not null`

const each = (sql: Sql, write: (i: number) => Fragment) =>
  classifications.map((_, i) => write(i + 1)).reduce((all, one) => sql`${all}, ${one}`)

/** Null if it exceeds bigint. */
const bounded = (sql: Sql, sum: Fragment) => sql`case when abs(${sum}) < 2::numeric ^ 63 then (${sum})::bigint end`

/** The largest figure among the risk classes; null if there is none. */
const ofRisk = (sql: Sql, column: 'counts' | 'cents') =>
  sql`greatest(${riskPlaces.map((i) => sql`a.${sql(column)}[${i}::int]`).reduce((all, one) => sql`${all}, ${one}`)})`

/** Whether a count of a risk class is missing, or was not searched for. */
const missing = (sql: Sql) =>
  riskPlaces
    .map((i) => sql`a.counts[${i}::int] is null`)
    .reduce(
      (all, one) => sql`${all} or ${one}`,
      sql`not (vigia.is_searched(a.protest_status) and vigia.is_searched(a.debtor_status))`,
    )

const riskPlaces = classifications.flatMap((key, i) => (isRiskClass(key) ? [i + 1] : []))

export type RankingFilter = {
  weights: Weights
  /** Only those that have a court case in this class. */
  having?: Classification
  /** The least amount and count, in the ranked classes. */
  leastCents?: bigint
  leastCount?: number
  onlyRisk?: boolean
}

/** A ranked document: its first line, its figures, and where the row's own text is. */
export type Ranked = {
  line: number
  part: number
  startAt: bigint
  size: number
  question: string
  counts: (number | null)[]
  cents: (bigint | null)[] | null
} & SearchStatuses

/** The documents with the highest risk by the given weights, one line each: by amount, then by number of court cases. */
export const readRanking = (sql: Database, batchId: bigint, filter: RankingFilter, limit: number) =>
  sql.begin(async (tx): Promise<Ranked[]> => {
    // The rows of a million fit into memory with this; with the default of 4 MB they are written to disk and read again.
    await tx`set local work_mem = '64MB'`
    const { having, leastCents = null, leastCount = null, onlyRisk = false } = filter
    const [amount, number] = [weighed(tx, filter.weights, 'cents'), weighed(tx, filter.weights, 'counts')]
    const position = having ? classifications.indexOf(having) + 1 : null
    const ranked = await tx<Ranked[]>`
      with best as (
        select a.lookup_id, a.counts, a.cents, a.protest_status, a.debtor_status, ${amount} as amount, ${number} as number
          from vigia.answer a
         where exists (select from vigia.batch_row r
                        where r.batch_id = ${batchId} and r.lookup_id = a.lookup_id and vigia.shows_answer(r))
           and a.counts is not null
           and (${position}::int is null or a.counts[${position}::int] > 0)
           and (${leastCents}::numeric is null or ${amount} >= ${leastCents}::numeric)
           and (${leastCount}::int is null or ${number} >= ${leastCount}::int)
           and (not ${onlyRisk} or ${amount} > 0 or ${number} > 0)
         order by 4 desc, 5 desc, 1
         limit ${limit})
      select r.line, r.part, r.start_at, r.size, l.question, b.counts, b.cents, b.protest_status, b.debtor_status
        from best b
        join vigia.lookup l on l.id = b.lookup_id
        join lateral (select line, part, start_at, size from vigia.batch_row r
                       where r.batch_id = ${batchId} and r.lookup_id = b.lookup_id and vigia.shows_answer(r)
                       order by line, part
                       limit 1) as r on true
       order by b.amount desc, b.number desc, b.lookup_id`
    return ranked.map((each) => ({
      ...each,
      counts: withoutUnsearched(each.counts, each),
      cents: each.cents && withoutUnsearched(each.cents, each),
    }))
  })

const weighed = (sql: Sql, weights: Weights, column: 'cents' | 'counts') =>
  Object.entries(weights)
    .map(([key, weight]) => {
      const i = classifications.indexOf(key as Classification) + 1
      return sql`coalesce(a.${sql(column)}[${i}::int], 0)::numeric * ${weight}::int`
    })
    .reduce((all, one) => sql`${all} + ${one}`, sql`0::numeric`)

/** The documents whose figures differ between two batches, in pieces; unchanged ones are not read. */
export async function* streamDiffering(sql: Sql, earlier: bigint, laterBatch: bigint) {
  type Found = FigureRow & { question: string; line: number; part: number }
  const rows = sql<Found[]>`
    select n.question, n.line, n.part, null as processes, null as processes_before, o.counts as counts_before,
           o.cents as cents_before, n.counts, n.cents
      from (${answeredOf(sql, laterBatch)}) as n
      join (${answeredOf(sql, earlier)}) as o on o.question = n.question and o.lookup_id <> n.lookup_id
     where o.counts is distinct from n.counts or o.cents is distinct from n.cents`
  for await (const some of rows.cursor(2_000)) yield some.map(splitFigures)
}

/** How many documents two batches share, both with an answer. */
export const countShared = (sql: Sql, earlier: bigint, laterBatch: bigint): Promise<number> =>
  firstValue(sql`
    select count(*)::int as documents
      from (${answeredOf(sql, laterBatch)}) as n
      join (${answeredOf(sql, earlier)}) as o on o.question = n.question`)

/** Each answered document of a batch once, at its first line. */
const answeredOf = (sql: Sql, batchId: bigint) => sql`
  select distinct on (a.lookup_id) l.question, r.line, r.part, a.lookup_id, vigia.searched_counts(a) as counts, vigia.searched_cents(a) as cents
    from vigia.batch_row r
    join vigia.lookup l on l.id = r.lookup_id
    join vigia.answer a on a.lookup_id = l.id
   where r.batch_id = ${batchId} and vigia.shows_answer(r) and a.counts is not null
   order by a.lookup_id, r.line, r.part`

/**
 * Other analysis batches that have an answer for a document of this one, newest first.
 *
 * Of more than 20,000 rows an even sample is used, and of each other batch a sample too: a batch that is missed shares
 * hardly anything.
 */
export const comparableBatches = (sql: Sql, batchId: bigint) => sql<
  { id: bigint; name: string; fileName: string | null; createdAt: Date }[]
>`
  with here as materialized (${chosenQuestions(sql, sql`${batchId}::bigint`, 20_000)}),
       sharing as (
         select distinct r.batch_id
           from here h
           join vigia.lookup l on (l.question = h.question and l.current) or (l.question = h.question and not l.current)
           join vigia.answer a on a.lookup_id = l.id and a.counts is not null
           join vigia.batch_row r on r.lookup_id = l.id and vigia.shows_answer(r))
  select b.id, b.name, b.file_name, b.created_at
    from vigia.batch b
   where b.kind = 'analysis' and b.source <> 'sweep' and b.id <> ${batchId} and b.started_at is not null
     and ${within(sql, 'b.organization_id')}
     and (b.id in (select batch_id from sharing)
          or (select rows > 20000 from vigia.batch where id = ${batchId})
             and exists (select from (${chosenQuestions(sql, sql`b.id`, 400)}) as there
                           join vigia.lookup l on (l.question = there.question and l.current)
                                               or (l.question = there.question and not l.current)
                           join vigia.batch_row r on r.lookup_id = l.id and r.batch_id = ${batchId}))
   order by b.id desc
   limit 50`

/** What a number of rows of a batch ask, spread evenly over its file; all of them if there are no more. */
const chosenQuestions = (sql: Sql, batchId: ReturnType<Sql>, most: number) => sql`
  select distinct l.question
    from (select max(line) as last from vigia.batch_row where batch_id = ${batchId}) as file,
         generate_series(1, file.last, greatest(1, file.last / ${most}::int)) as chosen (line)
    join vigia.batch_row r on r.batch_id = ${batchId} and r.line = chosen.line
    join vigia.lookup l on l.id = r.lookup_id`

/** Where the own text of these lines is. */
export const placesOfLines = (sql: Sql, batchId: bigint, lines: number[]) => sql<
  { line: number; startAt: bigint; size: number }[]
>`
  select line, start_at, size from vigia.batch_row where batch_id = ${batchId} and part = 0 and line = any(${lines}::int[])`
