import { spendingKinds } from '../../domain/kind.ts'
import type { FinalState } from '../../domain/lookup.ts'
import type { Sql, Transaction } from '../connect.ts'
import type { Asked, Question } from '../lookups/ask-lookups.ts'
import { isErased } from '../lookups/lookup-rows.ts'
import { firstValue } from '../rows.ts'
import { ownQueued } from './quote.ts'

/** Lets retries of a batch run one after the other: the second finds what the first asked, and asks nothing again. */
export const lockRetries = (tx: Transaction, batchId: bigint) => tx`
  select pg_advisory_xact_lock(hashtextextended('vigia retry', ${batchId}))`

/**
 * Collects the documents of rows that ended in one of these states, except erased people's, until the transaction ends.
 * Returns how many rows they stand in.
 */
export const setRowsApart = async (
  tx: Transaction,
  batchId: bigint,
  states: readonly FinalState[],
): Promise<number> => {
  await tx`
    create temporary table retried_row
      (line integer not null, part smallint not null, question text collate "C" not null, document_type text, label text) on commit drop`
  await tx`
    insert into retried_row (line, part, question, document_type, label)
    select r.line, r.part, l.question, l.document_type, l.label
      from vigia.batch_row r
      join vigia.lookup l on l.id = r.lookup_id
     where r.batch_id = ${batchId}
       and vigia.row_outcome(r, l) = any(${[...states]}::text[]) and not ${isErased(tx)}`
  await tx`create index on retried_row (question)`
  await tx`analyze retried_row`
  return firstValue(tx`select count(distinct line)::int from retried_row`)
}

/** Copies the questions of those rows into the table of the quote. */
export const quoteCollected = (tx: Transaction) => tx`
  insert into asked_question (question) select question from retried_row`

/** The questions of those rows, a page at a time and sorted, so that two transactions lock them in one order. */
export const nextQuestions = (tx: Transaction, after: string, limit: number) => tx<Question[]>`
  select question, min(document_type) as document_type, min(label) as label
    from retried_row
   where question > ${after}
   group by question
   order by question
   limit ${limit}`

/**
 * Points rows to the look-ups that now answer them; the first row of a new look-up is the one that pays.
 *
 * Waits for a transaction that is ending a look-up of another batch, or makes it wait: the look-up is counted for this
 * batch exactly once.
 */
export const pointRows = async (tx: Transaction, batchId: bigint, asked: Asked[]): Promise<void> => {
  const ids = asked.map(({ id }) => id)
  await tx`select id from vigia.lookup where id = any(${ids}::bigint[]) and finished_at is null order by id for share`
  await tx`
    update vigia.batch_row r
       set lookup_id = target.id, cancelled = false, pays = target.pays
      from (select t.line, t.part, a.id,
                   a.made and row_number() over (partition by a.id order by t.line, t.part) = 1 as pays
              from unnest(${asked.map(({ question }) => question)}::text[], ${ids}::bigint[],
                          ${asked.map(({ made }) => made)}::bool[]) as a (question, id, made)
              join retried_row t on t.question = a.question) as target
     where r.batch_id = ${batchId} and r.line = target.line and r.part = target.part`
}

/** How many look-ups of its own a batch has not begun. */
export const countOwnQueued = async (sql: Sql, batchId: bigint): Promise<number> =>
  (await firstValue<number | null>(sql`select (${ownQueued(sql)})::int from vigia.batch b where b.id = ${batchId}`)) ??
  0

/**
 * Reopens a batch; one that had ended is no longer paused either. Whoever retries approves the cost of `lookups`, among
 * them those that the batch takes over from one that cannot pay.
 */
export const reopenForRetry = (sql: Sql, batchId: bigint, lookups: number, now: Date) => sql`
  update vigia.batch b
     set state = 'running', started_at = coalesce(started_at, ${now}),
         paused_at = case when finished_at is null then paused_at end,
         finished_at = null, exported_at = null,
         to_be_paid = case when kind = any(${[...spendingKinds]}::text[])
                           then spent + (${ownQueued(sql)}) else 0 end,
         confirm_above = case when confirm_above is not null
                              then greatest(confirm_above, least(spent + ${lookups}, max_spend)) end
   where id = ${batchId}`
