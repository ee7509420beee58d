import type { Message } from '../../messages/message.ts'
import type { Database, Sql, Transaction } from '../connect.ts'
import { copyIn, isTaken } from '../copy.ts'
import { firstValue, isAny } from '../rows.ts'
import { type Batch, isUnimported } from './batches.ts'

/**
 * A transaction that does not wait for the disk: a chunk that a crash of the server undoes is imported again, and the end
 * of the import waits for all of them.
 */
export const beginUnsynced = (sql: Database, work: (tx: Transaction) => Promise<void>) =>
  sql.begin(async (tx) => {
    await tx`set local synchronous_commit = off`
    await work(tx)
  })

/** Locks a batch for its import; true if its rows are incomplete. A second importer waits, and then finds the import done. */
export const lockImport = (sql: Sql, batchId: bigint): Promise<boolean> =>
  isAny(sql`
    select from vigia.batch
     where id = ${batchId} and ${isUnimported(sql)}
       for update`)

export const recordDialect = (
  sql: Sql,
  batchId: bigint,
  { dialect, layout, documentsPerRow }: { dialect: unknown; layout: unknown; documentsPerRow: number },
) => sql`
  update vigia.batch
     set dialect = ${sql.json(dialect as never)}, layout = ${sql.json(layout as never)}, documents_per_row = ${documentsPerRow}
   where id = ${batchId}`

/** A document of a row to write: what it asks, or why it cannot be asked. */
export type NewRow = {
  line: number
  /** Which document of the row. */
  part: number
  start: number
  size: number
  lookupId: bigint | null
  pays: boolean
  repair: string | null
  rejectReason: string | null
  message: Message | null
}

export const copyRows = (tx: Transaction, batchId: bigint, rows: NewRow[]): Promise<void> =>
  copyIn(
    tx`copy vigia.batch_row (batch_id, line, part, start_at, size, lookup_id, pays, repair, reject_reason, message)
       from stdin`,
    rows.map(({ line, part, start, size, lookupId, pays, repair, rejectReason, message }) => {
      const place = [batchId, line, part, start, size]
      return [...place, lookupId, pays, repair, rejectReason, message && JSON.stringify(message)]
    }),
  )

/** Another importer of the same batch wrote these rows first. */
export const isWrittenAlready = (error: unknown): boolean => isTaken(error, 'batch_row_pkey')

/** Records how far the import is; false if it is not, or no longer, at the line before these rows. */
export const moveOn = (
  sql: Sql,
  batchId: bigint,
  from: number,
  done: { to: number; rows: number; rejected: number; toBePaid: number },
): Promise<boolean> =>
  isAny(sql`
    update vigia.batch
       set imported_to = ${done.to}, rows = rows + ${done.rows}, rejected = rejected + ${done.rejected},
           to_be_paid = to_be_paid + ${done.toBePaid}
     where id = ${batchId} and imported_to = ${from} and ${isUnimported(sql)}`)

/**
 * Ends the import. The cost of the batch, counted up to its limit, decides whether it runs or needs approval. With
 * rejected rows only there is nothing to approve.
 */
export const finishImport = async (
  sql: Sql,
  batchId: bigint,
  blankLines: number,
  now: Date,
): Promise<Batch['state']> => {
  const waits = sql`(rejected < rows and vigia.needs_approval(to_be_paid, max_spend, confirm_above)) is true`
  return firstValue(sql`
    update vigia.batch
       set blank_lines = ${blankLines}, imported_at = ${now},
           state = case when state = 'cancelled' then state
                        when ${waits} then 'unconfirmed' else 'running' end,
           started_at = case when state = 'importing' and not ${waits} then ${now}::timestamptz end
     where id = ${batchId}
    returning state`)
}

/** Without statistics of a million new rows the planner chooses bad plans. */
export const analyzeTables = (sql: Sql) => sql`analyze vigia.lookup, vigia.batch_row`
