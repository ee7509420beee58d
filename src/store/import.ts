import type { Batch } from './batches.ts'
import type { Sql, Transaction } from './connect.ts'

/**
 * Takes hold of a batch that is being imported; a second importer of it waits, and then finds it done.
 * One that was cancelled meanwhile is imported to its end: its rows must come back too.
 */
export const lockImport = async (sql: Sql, batchId: bigint): Promise<number | null> => {
  const [row] = await sql<{ importedTo: number }[]>`
    select imported_to as "importedTo" from batch
     where id = ${batchId} and state in ('importing', 'cancelled') and imported_at is null
       for update`
  return row?.importedTo ?? null
}

export const recordDialect = (sql: Sql, batchId: bigint, dialect: unknown, layout: unknown) => sql`
  update batch set dialect = ${sql.json(dialect as never)}, layout = ${sql.json(layout as never)} where id = ${batchId}`

/** A row as it is written: what it asks, or why it was rejected. */
export type NewRow = {
  line: number
  start: number
  size: number
  lookupId: bigint | null
  first: boolean
  repair: string | null
  rejectReason: string | null
  rejectDetail: string | null
}

export const copyRows = async (tx: Transaction, batchId: bigint, rows: NewRow[]): Promise<void> => {
  const copy = await tx`
    copy batch_row (batch_id, line, start_at, size, lookup_id, first, repair, reject_reason, reject_detail)
    from stdin`.writable()
  await new Promise<void>((resolve, reject) => {
    copy.on('error', reject).on('finish', resolve)
    copy.end(rows.map((row) => copyLine(batchId, row)).join(''))
  })
}

const copyLine = (batchId: bigint, row: NewRow): string =>
  `${batchId}\t${row.line}\t${row.start}\t${row.size}\t${row.lookupId ?? '\\N'}\t${row.first ? 't' : 'f'}\t` +
  `${copyText(row.repair)}\t${copyText(row.rejectReason)}\t${copyText(row.rejectDetail)}\n`

const copyText = (text: string | null): string =>
  text === null ? '\\N' : text.replace(/[\\\t\n\r]/g, (char) => copyEscapes[char] as string)

const copyEscapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

export const recordProgress = (
  sql: Sql,
  batchId: bigint,
  done: { line: number; rows: number; rejected: number; toBePaid: number },
) => sql`
  update batch
     set imported_to = ${done.line}, rows = rows + ${done.rows}, rejected = rejected + ${done.rejected},
         to_be_paid = to_be_paid + ${done.toBePaid}
   where id = ${batchId}`

/** The import is over: what it would cost decides whether it runs or waits for a word. */
export const finishImport = async (
  sql: Sql,
  batchId: bigint,
  blankLines: number,
  now: Date,
): Promise<Batch['state']> => {
  const [row] = await sql<{ state: Batch['state'] }[]>`
    update batch
       set blank_lines = ${blankLines}, imported_at = ${now},
           state = case when state = 'cancelled' then state
                        when to_be_paid > confirm_above then 'unconfirmed' else 'running' end,
           started_at = case when state = 'importing' and (to_be_paid > confirm_above) is not true then ${now}::timestamptz end
     where id = ${batchId}
    returning state`
  return row!.state
}

/** A planner that has seen a million new rows only by hearsay plans badly. */
export const analyzeTables = (sql: Sql) => sql`analyze lookup, batch_row`
