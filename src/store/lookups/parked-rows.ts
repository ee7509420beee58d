import type { DocumentType } from '../../domain/document.ts'
import { type Kind, spendingKinds } from '../../domain/kind.ts'
import type { LookupState } from '../../domain/lookup.ts'
import type { Message } from '../../messages/message.ts'
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
const isParked = (sql: Sql) => sql`l.state = 'unknown_outcome' and vigia.row_outcome(r, l) = 'unknown_outcome'`

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

/** Every purchase with an unknown outcome, of files and of sweeps, oldest first. */
export type Parked = Pick<RowLookup, 'lookupId' | 'organizationId' | 'kind' | 'question' | 'sendingAt'> & {
  message: Message | null
  batchId: bigint | null
  line: number | null
  part: number | null
  name: string | null
  /** Where the row's own text is, and how to read it. */
  startAt: bigint | null
  size: number | null
  fileId: bigint | null
  layout: unknown
}

export const listAllParked = (sql: Sql, limit: number) => sql<Parked[]>`
  select l.id as lookup_id, l.organization_id, l.kind, l.question, l.sending_at, l.message, r.batch_id, r.line, r.part,
         coalesce(b.name, payer.name) as name, r.start_at, r.size, b.file_id, b.layout
    from vigia.lookup l
    left join lateral (select r.batch_id, r.line, r.part, r.start_at, r.size from vigia.batch_row r
                        where r.lookup_id = l.id and ${isParked(sql)}
                        order by r.batch_id, r.line, r.part
                        limit 1) r on true
    left join vigia.batch b on b.id = r.batch_id
    left join vigia.batch payer on payer.id = l.batch_id
   where l.state = 'unknown_outcome' and ${within(sql, 'l.organization_id')}
   order by l.id
   limit ${limit}`

/** A purchase of the document in the purchase ledger; `owner` is the look-up that has it already. */
export type Candidate = {
  lookupId: bigint
  remoteId: string
  dated: string | null
  status: string | null
  deleted: boolean
  owner: bigint | null
}

/** What the registry lists for the documents of these look-ups. */
export const listCandidates = (sql: Sql, lookupIds: bigint[]) => sql<Candidate[]>`
  select l.id as lookup_id, p.remote_id, p.dated, p.status, p.deleted, coalesce(p.lookup_id, o.id) as owner
    from vigia.lookup l
    join vigia.purchase p on p.document = l.question and p.kind = l.kind and p.organization_id = l.organization_id
    left join vigia.lookup o on vigia.owns(o, p)
   where l.id = any(${lookupIds}::bigint[])
   order by l.id, p.dated_from desc nulls last, p.remote_id desc`

/** The parked documents of a batch, each once, in the order of the file. */
export const listParked = (sql: Sql, batchId: bigint, limit: number) => sql<
  { line: number; part: number; lookupId: bigint; question: string; sendingAt: Date | null; message: Message | null }[]
>`
  select *
    from (select distinct on (l.id) r.line, r.part, l.id as lookup_id, l.question, l.sending_at, l.message
            from vigia.batch_row r
            join vigia.lookup l on l.id = r.lookup_id
           where r.batch_id = ${batchId} and ${isParked(sql)}
           order by l.id, r.line, r.part) as parked
   order by line, part
   limit ${limit}`

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
