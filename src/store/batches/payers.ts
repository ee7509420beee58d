import type { Sql } from '../connect.ts'
import { isSent } from '../lookups/intents.ts'
import { historyLine } from '../messages.ts'
import { firstValue } from '../rows.ts'

/** The look-ups that a batch pays for, or wants and may pay for; or these look-ups. */
export type PayerScope = { batch: bigint } | { lookups: bigint[] }

/**
 * Gives queued look-ups whose batch cannot pay for them to one that can and wants them; `vigia.assign_payers` has the rule.
 * Returns how many.
 *
 * An action changes its own batch, then calls this for it. Without a scope it looks at all look-ups: that completes
 * whatever was interrupted. It locks look-ups, so call it outside of the transaction that pauses or cancels a running
 * batch: calls of that batch lock their look-ups first. `deadlineAt` is renewed for what moves.
 */
export const assignPayers = async (
  sql: Sql,
  scope: PayerScope | null = null,
  deadlineAt: Date | null = null,
): Promise<number> => {
  const batch = scope && 'batch' in scope ? scope.batch : null
  const lookups = scope && 'lookups' in scope ? scope.lookups : null
  return firstValue(sql`
    select vigia.assign_payers(${batch}::bigint, ${lookups}::bigint[], ${deadlineAt}::timestamptz)`)
}

/** Cancelled batches whose rows have not all ended: the cancellation was interrupted. */
export const findHalfCancelled = (sql: Sql) => sql<{ id: bigint }[]>`
  select b.id
    from vigia.batch b
   where b.finished_at is null and b.state = 'cancelled' and b.imported_at is not null
     and exists (select from vigia.batch_row r
                   join vigia.lookup l on l.id = r.lookup_id
                  where r.batch_id = b.id and not r.cancelled
                    and l.finished_at is null and (l.state = 'queued' and not ${isSent(sql)} or l.batch_id <> b.id))
   order by b.id`

/** Cancels what a batch has not asked; `assignPayers` has locked it. */
export const cancelQueued = (sql: Sql, batchId: bigint, now: Date) => sql`
  update vigia.lookup l
     set state = 'cancelled', finished_at = ${now}, due_at = null,
         trace = array_append(trace, ${historyLine(now, ['cancelled'])})
   where batch_id = ${batchId} and state = 'queued' and not ${isSent(sql)}`

/** Rows of a cancelled batch no longer wait for look-ups that others ask. */
export const leaveShared = (sql: Sql, batchId: bigint) => sql`
  update vigia.batch_row r set cancelled = true
    from vigia.lookup l
   where r.batch_id = ${batchId} and l.id = r.lookup_id and l.finished_at is null and l.batch_id <> ${batchId}`
