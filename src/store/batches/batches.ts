import type { BatchSource, BatchState, ReportEncoding, ReportFormat, ShownState } from '../../domain/batch.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Language } from '../../messages/languages.ts'
import type { Message } from '../../messages/message.ts'
import { within } from '../bound.ts'
import type { Sql, Transaction } from '../connect.ts'
import { messageJson } from '../messages.ts'
import { firstRow, firstValue, isAny } from '../rows.ts'

/** A batch as every reader gets it; `layout` is JSON that the importer wrote. */
export type Batch = {
  id: bigint
  organizationId: bigint
  kind: Kind
  source: BatchSource
  submittedBy: string | null
  name: string
  fileName: string | null
  fileId: bigint | null
  /** The workbook whose text the file is. */
  workbookId: bigint | null
  /** Of the bytes that were submitted. */
  sha256: string | null
  state: BatchState
  shown: ShownState
  message: Message | null
  layout: unknown
  maxSpend: number | null
  confirmAbove: number | null
  encoding: ReportEncoding
  /** The requested format of the report; null: like the input file. */
  format: ReportFormat | null
  /** The requested language of the workbook; null: that of the settings. */
  language: Language | null
  spreadsheets: boolean
  /** Why it looks people up, with the legal basis (domain/purpose.ts); null: none was given. */
  purpose: string | null
  rows: number
  /** How many columns of documents each row is asked about. */
  documentsPerRow: number
  /** Rows without any document that can be asked. */
  rejected: number
  blankLines: number
  importedTo: number
  toBePaid: number
  /** Documents that the organization had bought elsewhere. */
  adopted: number
  spent: number
  createdAt: Date
  importedAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
  exportedAt: Date | null
  /** Increases whenever an erasure requires its reports to be written again. */
  reportsOwed: number
}

type NewBatch = Pick<
  Batch,
  | 'kind'
  | 'source'
  | 'submittedBy'
  | 'name'
  | 'fileName'
  | 'fileId'
  | 'maxSpend'
  | 'confirmAbove'
  | 'encoding'
  | 'spreadsheets'
> & {
  organizationId: number
  workbookId?: bigint | null
  format?: ReportFormat
  language?: Language
  purpose?: string | null
  /** Batches without a file, such as a sweep's, run at once. */
  state?: BatchState
  /** The radar sweep whose documents it asks about. */
  sweepId?: bigint
}

/** Creates a batch for a file; null if the same bytes already are a current batch. */
export const insertBatch = (sql: Sql, batch: NewBatch): Promise<bigint | null> =>
  firstValue(sql`
    insert into vigia.batch (organization_id, kind, source, submitted_by, name, file_name, file_id, workbook_id, max_spend,
                       confirm_above, encoding, format, language, spreadsheets, purpose, state, sweep_id)
    values (${batch.organizationId}, ${batch.kind}, ${batch.source}, ${batch.submittedBy}, ${batch.name},
            ${batch.fileName}, ${batch.fileId}, ${batch.workbookId ?? null}, ${batch.maxSpend}, ${batch.confirmAbove},
            ${batch.encoding}, ${batch.format ?? null}, ${batch.language ?? null}, ${batch.spreadsheets},
            ${batch.purpose ?? null}, ${batch.state ?? 'importing'}, ${batch.sweepId ?? null})
        on conflict (organization_id, kind, file_id) where current and file_id is not null do nothing
    returning id`)

/** A batch without a file, such as a sweep's: it runs at once and needs no approval. */
export const insertSweepBatch = async (
  sql: Sql,
  batch: Pick<NewBatch, 'organizationId' | 'kind' | 'submittedBy' | 'name' | 'maxSpend' | 'purpose' | 'sweepId'>,
): Promise<bigint> => {
  const withoutFile = {
    fileName: null,
    fileId: null,
    confirmAbove: null,
    encoding: 'utf8',
    spreadsheets: false,
  } as const
  return (await insertBatch(sql, { ...batch, ...withoutFile, source: 'sweep', state: 'running' }))!
}

export type SweepKind = 'processes' | 'analysis'

/** The batches that ask about the radars of an organization in a sweep: at most one of each kind. */
export const sweepBatches = (sql: Sql, sweepId: bigint, organizationId: bigint) => sql<
  { id: bigint; kind: SweepKind }[]
>`
  select id, kind from vigia.batch where sweep_id = ${sweepId} and organization_id = ${organizationId}`

/** How old an answer may be, how the bytes are to be read, and why. */
export type Wanted = { freshSince: Date; readAs: string; purpose: string | null }

/**
 * Whether a current batch `b`, which was not cancelled, answers for a file of the same bytes: not if it read them
 * differently or for another purpose, nor if it finished longer ago than answers are fresh, by the same comparison as `vigia.is_fresh`.
 */
export const answersFor = (sql: Sql, { freshSince, readAs, purpose }: Wanted) => sql`
  (coalesce(b.finished_at > ${freshSince}, true) and coalesce(b.layout ->> 'readAs', '') = ${readAs}
   and coalesce(b.purpose = ${purpose}::text, true))`

/** Retires batches of the same bytes, so that a new one can be made: those that do not answer for what is wanted, or all. */
export const retireBatches = (
  sql: Sql,
  { organizationId, kind, fileId }: Pick<NewBatch, 'organizationId' | 'kind' | 'fileId'>,
  wanted: Wanted | null,
) => sql`
  update vigia.batch b set current = false
   where b.organization_id = ${organizationId} and b.kind = ${kind} and b.file_id = ${fileId} and b.current
     and ${wanted ? sql`not ${answersFor(sql, wanted)}` : sql`true`}`

export const findCurrentBatch = (
  sql: Sql,
  { organizationId, kind, fileId }: Pick<NewBatch, 'organizationId' | 'kind' | 'fileId'>,
): Promise<bigint | null> =>
  firstValue(sql`
    select id from vigia.batch
     where organization_id = ${organizationId} and kind = ${kind} and file_id = ${fileId} and current`)

export const readBatch = (sql: Sql, id: bigint): Promise<Batch | null> =>
  firstRow(sql`${selectBatches(sql)} where b.id = ${id} and ${within(sql, 'b.organization_id')}`)

/** Its rows are incomplete. A cancelled batch is imported to its end too, because its rows must be reported. */
export const isUnimported = (sql: Sql) => sql`(state in ('importing', 'cancelled') and imported_at is null)`

export const rejectBatch = (sql: Sql, id: bigint, problem: Message, now: Date) => sql`
  update vigia.batch
     set state = 'rejected', current = false, message = ${messageJson(sql, problem)}, finished_at = ${now}
   where id = ${id} and ${isUnimported(sql)}
  returning id`

/** Names the purpose of a batch that has none. */
export const keepPurpose = (sql: Sql, id: bigint, purpose: string | null) => sql`
  update vigia.batch set purpose = ${purpose} where id = ${id} and purpose is null and ${purpose}::text is not null`

/** What may be requested of a report when a file is submitted, or submitted again. */
type Wish = Pick<NewBatch, 'format' | 'language' | 'spreadsheets'>

/**
 * Requests the registry's spreadsheets too, or another format or language; a batch that has ended then owes another report.
 * True if any of it is new.
 */
export const wantMore = (sql: Sql, id: bigint, { spreadsheets, format, language }: Wish): Promise<boolean> =>
  isAny(sql`
    update vigia.batch
       set spreadsheets = spreadsheets or ${spreadsheets}, format = coalesce(${format ?? null}, format),
           language = coalesce(${language ?? null}, language), exported_at = null
     where id = ${id}
       and (${spreadsheets} and not spreadsheets or format is distinct from coalesce(${format ?? null}, format)
            or language is distinct from coalesce(${language ?? null}, language))`)

/**
 * Records the report of an end of the batch. If the batch was reopened meanwhile, got new requests, or a person was erased
 * from it, it needs another report. Returns whether the report was recorded, and whether it is the first of this end: only
 * the first is notified.
 */
export const recordExport = (
  sql: Sql,
  batch: Pick<Batch, 'id' | 'finishedAt' | 'reportsOwed' | keyof Wish>,
  manifest: unknown,
  now: Date,
): Promise<'first' | 'again' | null> =>
  firstValue(sql`
    with last as (select reported_end from vigia.batch where id = ${batch.id} for no key update)
    update vigia.batch b
       set exported_at = ${now}, manifest = ${sql.json(manifest as never)}, reported_end = b.finished_at
      from last
     where b.id = ${batch.id} and b.finished_at = ${batch.finishedAt} and b.reports_owed = ${batch.reportsOwed}
       and b.spreadsheets = ${batch.spreadsheets}
       and b.format is not distinct from ${batch.format} and b.language is not distinct from ${batch.language}
    returning case when last.reported_end is distinct from b.finished_at then 'first' else 'again' end`)

/** Whether an erasure requires new reports since this batch was read; waits for an erasure that is under way. */
export const isOvertaken = async (sql: Sql, { id, reportsOwed }: Pick<Batch, 'id' | 'reportsOwed'>): Promise<boolean> =>
  !(await isAny(sql`select from vigia.batch where id = ${id} and reports_owed = ${reportsOwed} for share`))

/** Batches as `b`; the caller adds the condition. */
export const selectBatches = (sql: Sql) => sql`
  select b.id, b.organization_id, b.kind, b.source, b.submitted_by, b.name, b.file_name, b.file_id, b.workbook_id,
         f.sha256, b.state, vigia.shown_state(b) as shown, b.message, b.layout, b.max_spend, b.confirm_above,
         b.encoding, b.format, b.language, b.spreadsheets, b.purpose, b.rows, b.documents_per_row, b.rejected,
         b.blank_lines, b.imported_to, b.to_be_paid, b.adopted, b.spent, b.created_at, b.imported_at, b.started_at,
         b.finished_at, b.exported_at, b.reports_owed
    from vigia.batch b
    left join vigia.file f on f.id = coalesce(b.workbook_id, b.file_id)`

/** Whether anyone is looked up in the credit register, by files or by portfolios. */
export const hasScr = (sql: Sql): Promise<boolean> =>
  firstValue(sql`
    select exists (select from vigia.batch where kind = 'scr')
        or exists (select from vigia.portfolio where kind = 'scr') as any`)

/**
 * Lets exports of a batch into one folder run one after the other, over all processes; false while another one runs. The
 * lock lasts as long as the transaction, so it is released if the process dies.
 */
export const lockExport = (tx: Transaction, batchId: bigint, folder: string): Promise<boolean> =>
  firstValue(tx`select pg_try_advisory_xact_lock(hashtextextended(${`vigia export ${folder}`}, ${batchId})) as locked`)
