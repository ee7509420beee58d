import type { Sql } from '../connect.ts'
import { type Batch, selectBatches } from './batches.ts'

/** Records an approval, which covers the cost that was shown: if the batch comes to cost more, it needs another. */
export const confirmSpending = (sql: Sql, id: bigint) => sql`
  update vigia.batch set confirm_above = greatest(confirm_above, least(to_be_paid, max_spend)) where id = ${id}`

/**
 * Sets the limit of a batch, unless more is spent already. A running batch that would cost more than may be spent without
 * approval then needs one.
 */
export const setMaxSpend = (sql: Sql, id: bigint, maxSpend: number | null) => sql`
  update vigia.batch
     set max_spend = ${maxSpend},
         state = case when state = 'running' and vigia.needs_approval(to_be_paid, ${maxSpend}::int, confirm_above)
                           and least(to_be_paid, ${maxSpend}::int) > least(to_be_paid, max_spend)
                      then 'unconfirmed' else state end
   where id = ${id} and (${maxSpend}::int is null or spent <= ${maxSpend})
  returning id`

/**
 * Batches that need approval, cost something, and that nobody was notified of: those that were read before a moment, and
 * those that ran and came to cost more than was approved.
 */
export const listWaiting = (sql: Sql, readBefore: Date) => sql<Batch[]>`
  ${selectBatches(sql)}
   where b.state = 'unconfirmed' and b.finished_at is null and least(b.to_be_paid, b.max_spend) > 0
     and (b.started_at is not null or b.imported_at <= ${readBefore})
     and not exists (select from vigia.alert a
                      where a.key = 'batch.unconfirmed ' || b.id
                                    || case when b.started_at is null then '' else ' ' || b.confirm_above end)
   order by b.id`
