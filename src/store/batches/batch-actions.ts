import { actionsTaken, type SteeringVerb } from '../../domain/batch.ts'
import type { Sql, Transaction } from '../connect.ts'
import { isAny } from '../rows.ts'
import { type Batch, selectBatches } from './batches.ts'

/** Locks the batch, so that its state and limit do not change before the transaction ends. */
export const lockBatch = (tx: Transaction, id: bigint) => tx`
  select from vigia.batch where id = ${id} for no key update`

/** Whether batch `b` accepts an action, by the table of `actionsTaken`. */
export const takes = (sql: Sql, verb: SteeringVerb) => {
  const { states, whilePaused } = actionsTaken[verb]
  const isPaused = sql`(vigia.shown_state(b) = 'paused')`
  return sql`(b.state = any(${states}::text[]) and ${isPaused} = coalesce(${whilePaused}::boolean, ${isPaused}))`
}

/** Approves a batch that needs approval; true if it did. */
export const runConfirmed = (sql: Sql, id: bigint, now: Date): Promise<boolean> =>
  isAny(sql`
    update vigia.batch b set state = 'running', started_at = coalesce(b.started_at, ${now})
     where b.id = ${id} and ${takes(sql, 'confirm')}`)

/** Cancels a batch, which then no longer answers for later files; true if that was possible. */
export const setCancelled = (sql: Sql, id: bigint): Promise<boolean> =>
  isAny(sql`
    update vigia.batch b set state = 'cancelled', current = false, paused_at = null
     where b.id = ${id} and ${takes(sql, 'cancel')}`)

export const setPaused = (sql: Sql, id: bigint, pausedAt: Date | null): Promise<boolean> =>
  isAny(sql`
    update vigia.batch b set paused_at = ${pausedAt}
     where b.id = ${id} and b.finished_at is null and ${takes(sql, pausedAt ? 'pause' : 'resume')}`)

/** Gives the queued look-ups of a batch their full deadline again after a pause. */
export const renewDeadlines = (sql: Sql, batchId: bigint, deadlineAt: Date) => sql`
  update vigia.lookup set deadline_at = greatest(deadline_at, ${deadlineAt})
   where batch_id = ${batchId} and state = 'queued'`

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
