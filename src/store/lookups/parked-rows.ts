import type { DocumentType } from '../../domain/document.ts'
import { type Kind, spendingKinds } from '../../domain/kind.ts'
import type { LookupState } from '../../domain/lookup.ts'
import { within } from '../bound.ts'
import type { Sql } from '../connect.ts'
import { allValues, firstRow } from '../rows.ts'

/** The look-up of a row, with what is needed to settle it. */
export type RowLookup = {
  lookupId: bigint
  organizationId: bigint
  kind: Kind
  question: string
  documentType: DocumentType | null
  state: LookupState
  sendingAt: Date | null
  /** The batch that pays for it, which may be another than the batch of the row. */
  payer: bigint
}

const lookupColumns = (sql: Sql) => sql`
  l.id as lookup_id, l.organization_id, l.kind, l.question, l.document_type, l.state, l.sending_at, l.batch_id as payer`

/** Row `r` waits for a person to settle look-up `l`; the state of `l` is repeated for the index. */
export const isParked = (sql: Sql) => sql`l.state = 'unknown_outcome' and vigia.row_outcome(r, l) = 'unknown_outcome'`

/**
 * The look-ups of a row, one for each of its documents that was asked. `outcome` is how that document of the row ended: one
 * that its batch left is cancelled, whatever the state of its look-up.
 */
export const readRowLookups = (sql: Sql, batchId: bigint, line: number) => sql<
  (RowLookup & { part: number; outcome: string })[]
>`
  select ${lookupColumns(sql)}, r.part, vigia.row_outcome(r, l) as outcome
    from vigia.batch_row r
    join vigia.lookup l on l.id = r.lookup_id
   where r.batch_id = ${batchId} and r.line = ${line}
   order by r.part`

/** The look-up itself, and a row of a batch that waits for it, if there is one: a sweep has none. */
export const readParkedLookup = (
  sql: Sql,
  lookupId: bigint,
): Promise<(RowLookup & { batchId: bigint | null; line: number | null }) | null> =>
  firstRow(sql`
    select ${lookupColumns(sql)}, r.batch_id, r.line
      from vigia.lookup l
      left join lateral (select r.batch_id, r.line from vigia.batch_row r
                          where r.lookup_id = l.id and ${isParked(sql)}
                          order by r.batch_id, r.line
                          limit 1) r on true
     where l.id = ${lookupId} and ${within(sql, 'l.organization_id')}`)

/** A look-up that is sent again is paid by the batch for which it is, and no longer by the one that paid before. */
export const chargeAnew = async (
  sql: Sql,
  { lookupId, payer, kind }: Pick<RowLookup, 'lookupId' | 'payer' | 'kind'>,
  batchId: bigint,
): Promise<void> => {
  await sql`
    update vigia.batch_row r set pays = true
     where r.batch_id = ${batchId} and r.lookup_id = ${lookupId}
       and (r.line, r.part) = (select first.line, first.part from vigia.batch_row first
                                where first.batch_id = ${batchId} and first.lookup_id = ${lookupId}
                                order by first.pays desc, first.line, first.part
                                limit 1)`
  if (payer === batchId || !spendingKinds.includes(kind)) return
  await sql`
    update vigia.batch set to_be_paid = greatest(to_be_paid + case when id = ${batchId} then 1 else -1 end, 0)
     where id = any(${[payer, batchId]}::bigint[])`
}

/**
 * Reopens every batch with rows of a look-up, locked in their order; the counts that follow may finish them. A cancelled
 * batch stays cancelled and only fetches. `running` is the batch that asks again. A batch that needs approval still needs
 * it: settling one row does not approve the batch.
 */
export const reopenBatchesOf = async (sql: Sql, lookupId: bigint, running: bigint | null): Promise<bigint[]> => {
  const ids = await allValues<bigint>(sql`
    select id
      from vigia.batch
     where id in (select r.batch_id from vigia.batch_row r where r.lookup_id = ${lookupId} and vigia.shows_answer(r)) and counted
     order by id
       for no key update`)
  await sql`
    update vigia.batch
       set finished_at = null, exported_at = null,
           paused_at = case when id = ${running} and finished_at is not null then null else paused_at end,
           state = case when state = 'done' or (id = ${running} and state <> 'unconfirmed') then 'running' else state end
     where id = any(${ids}::bigint[])`
  return ids
}
