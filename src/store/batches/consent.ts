import type { BatchState } from '../../domain/batch.ts'
import type { Sql } from '../connect.ts'
import { type Batch, selectBatches } from './batches.ts'

/** A batch would come to spend more than it may without a word: as far as its limit reaches, or another. */
export const needsApproval = (sql: Sql, toBePaid = sql`to_be_paid`, limit = sql`max_spend`) =>
  sql`least(${toBePaid}, ${limit}) > confirm_above`

/** A word was given, and is worth what was shown: where the batch comes to cost more, it waits for another. */
export const confirmSpending = (sql: Sql, id: bigint) => sql`
  update vigia.batch set confirm_above = greatest(confirm_above, least(to_be_paid, max_spend)) where id = ${id}`

/**
 * Sets the limit of a batch, unless more is spent already. One that runs and would come to spend more than it may
 * without a word waits for one.
 */
export const setMaxSpend = (sql: Sql, id: bigint, maxSpend: number | null) => sql<{ state: BatchState }[]>`
  update vigia.batch
     set max_spend = ${maxSpend},
         state = case when state = 'running' and ${needsApproval(sql, sql`to_be_paid`, sql`${maxSpend}::int`)}
                           and least(to_be_paid, ${maxSpend}::int) > least(to_be_paid, max_spend)
                      then 'unconfirmed' else state end
   where id = ${id} and (${maxSpend}::int is null or spent <= ${maxSpend})
  returning state`

/** Batches that ran, and wait for a word since they came to cost more than was agreed to. */
export const listWaitingAnew = (sql: Sql) => sql<Batch[]>`
  ${selectBatches(sql)}
   where b.state = 'unconfirmed' and b.finished_at is null and b.started_at is not null
   order by b.id`
