import type { DocumentType } from '../domain/document.ts'
import type { Kind } from '../domain/kind.ts'
import type { LookupState } from '../domain/lookup.ts'
import type { Sql } from './connect.ts'

/** The look-up behind a row, as far as a person's word about it needs it. */
export type RowLookup = {
  lookupId: bigint
  organizationId: bigint
  kind: Kind
  question: string
  documentType: DocumentType | null
  state: LookupState
  sendingAt: Date | null
  /** The batch that pays for it, which need not be the one whose row it is. */
  payer: bigint
}

export const readRowLookup = async (sql: Sql, batchId: bigint, line: number): Promise<RowLookup | null> => {
  const [row] = await sql<RowLookup[]>`
    select l.id as "lookupId", l.organization_id as "organizationId", l.kind, l.question,
           l.document_type as "documentType", l.state, l.sending_at as "sendingAt", l.batch_id as payer
      from batch_row r
      join lookup l on l.id = r.lookup_id
     where r.batch_id = ${batchId} and r.line = ${line}`
  return row ?? null
}

/** The parked rows of a batch, one line for each document, in the order of the file. */
export const listParked = (sql: Sql, batchId: bigint, limit: number) => sql<
  { line: number; lookupId: bigint; question: string; sendingAt: Date | null; detail: string | null }[]
>`
  select min(r.line) as line, l.id as "lookupId", l.question, l.sending_at as "sendingAt", l.detail
    from batch_row r
    join lookup l on l.id = r.lookup_id
   where r.batch_id = ${batchId} and l.state = 'unknown_outcome' and not r.cancelled
   group by l.id
   order by 1
   limit ${limit}`

/** A look-up that is sent again is paid by the batch whose person said so. */
export const payFrom = async (sql: Sql, lookupId: bigint, batchId: bigint, line: number): Promise<void> => {
  await sql`update lookup set batch_id = ${batchId} where id = ${lookupId} and state = 'queued'`
  await sql`update batch_row set first = true where batch_id = ${batchId} and line = ${line}`
}

/**
 * Opens every batch that has rows of a look-up again, locked in their order; the counts that follow may finish them.
 * A cancelled batch stays cancelled, and only fetches; `running` names the one that asks again.
 */
export const reopenBatchesOf = async (sql: Sql, lookupId: bigint, running: bigint | null): Promise<bigint[]> => {
  const batches = await sql<{ id: bigint }[]>`
    select id
      from batch
     where id in (select batch_id from batch_row where lookup_id = ${lookupId}) and counted
     order by id
       for no key update`
  const ids = batches.map(({ id }) => id)
  await sql`
    update batch
       set finished_at = null, exported_at = null,
           paused_at = case when id = ${running} and finished_at is not null then null else paused_at end,
           state = case when state = 'done' or id = ${running} then 'running' else state end
     where id = any(${ids}::bigint[])`
  return ids
}
