import type { Fragment } from 'postgres'
import type { ReportEncoding, ReportFormat } from '../../domain/batch.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Language } from '../../messages/languages.ts'
import type { Message } from '../../messages/message.ts'
import { within } from '../bound.ts'
import type { Sql, Transaction } from '../connect.ts'
import { messageJson } from '../messages.ts'
import { allValues, firstRow, firstValue } from '../rows.ts'
import { dropUnneeded } from './files.ts'

/** A file that waits until somebody assigns its columns. */
export type Upload = {
  id: bigint
  fileId: bigint
  sha256: string
  organizationId: bigint
  kind: Kind
  fileName: string
  uploadedBy: string
  maxSpend: number | null
  encoding: ReportEncoding
  /** The requested format and language of the report; null: like the input, and as in the settings. */
  format: ReportFormat | null
  language: Language | null
  purpose: string | null
  /** The batch that read the same file differently. */
  replaces: bigint | null
}

type NewUpload = Omit<Upload, 'id' | 'sha256' | 'organizationId' | 'format' | 'language' | 'purpose'> & {
  organizationId: number
  format?: ReportFormat | null | undefined
  language?: Language | null | undefined
  purpose?: string | null | undefined
}

export const insertUpload = (sql: Sql, upload: NewUpload): Promise<bigint> =>
  firstValue(sql`
    insert into vigia.upload (file_id, organization_id, kind, file_name, uploaded_by, max_spend, encoding, format,
                              language, purpose, replaces)
    values (${upload.fileId}, ${upload.organizationId}, ${upload.kind}, ${upload.fileName}, ${upload.uploadedBy},
            ${upload.maxSpend}, ${upload.encoding}, ${upload.format ?? null}, ${upload.language ?? null}, ${upload.purpose ?? null},
            ${upload.replaces})
    returning id`)

export const readUpload = (sql: Sql, id: bigint): Promise<Upload | null> =>
  firstRow(sql`
    select u.id, u.file_id, f.sha256, u.organization_id, u.kind, u.file_name,
           u.uploaded_by, u.max_spend, u.encoding, u.format, u.language, u.purpose, u.replaces
      from vigia.upload u
      join vigia.file f on f.id = u.file_id
     where u.id = ${id} and ${within(sql, 'u.organization_id')}`)

export const dropUpload = (sql: Sql, id: bigint) => sql`delete from vigia.upload where id = ${id}`

/**
 * Deletes uploads that were abandoned, with their files: those of the page from before one time, and rejected ones of
 * the inbox from before another.
 */
export const dropUploads = (sql: Sql, before: { sent: Date; rejected: Date }): Promise<boolean> =>
  deleteWithFiles(
    sql,
    sql`made_at < case when problem is null then ${before.sent}::timestamptz else ${before.rejected}::timestamptz end`,
  )

/** Deletes what erasing a person takes: what was sent to the page, and rejected files that hold the person. */
export const dropUploadsAbout = (sql: Sql, fileIds: bigint[]): Promise<boolean> =>
  deleteWithFiles(sql, sql`problem is null or file_id = any(${fileIds}::bigint[])`)

/** Deletes uploads, and their files unless these are needed elsewhere; returns whether there was one. */
const deleteWithFiles = async (sql: Sql, which: Fragment): Promise<boolean> => {
  const gone = await allValues<bigint | null>(sql`delete from vigia.upload where ${which} returning file_id`)
  for (const fileId of gone) if (fileId !== null) await dropUnneeded(sql, fileId)
  return gone.length > 0
}

/** The name of a file in the inbox, for one organization and kind. */
type InboxName = { fileName: string; organizationId: number; kind: Kind }

/** A file of the inbox that could not be read. */
export type RejectedFile = {
  id: bigint
  organizationId: bigint
  kind: Kind
  fileName: string
  rejectedAt: Date
  problem: Message
  /** Whether the file was kept, so that a person can say how to read it. */
  kept: boolean
}

/** Lists a rejected file on the page, instead of an earlier one of its name. */
export const insertRejected = async (
  tx: Transaction,
  file: InboxName & { fileId: bigint | null; maxSpend: number | null; purpose?: string | null; problem: Message },
): Promise<void> => {
  const id = await firstValue<bigint>(tx`
    insert into vigia.upload (file_id, organization_id, kind, file_name, uploaded_by, max_spend, purpose, problem)
    values (${file.fileId}, ${file.organizationId}, ${file.kind}, ${file.fileName}, 'inbox', ${file.maxSpend},
            ${file.purpose ?? null}, ${messageJson(tx, file.problem)})
    returning id`)
  await dropRejected(tx, file, id)
}

/** Takes a file off the list, because one of its name was accepted, or rejected again and is listed as `except`. */
export const dropRejected = (
  tx: Transaction,
  { fileName, organizationId, kind }: InboxName,
  except: bigint | null = null,
): Promise<boolean> =>
  deleteWithFiles(
    tx,
    tx`problem is not null and file_name = ${fileName} and organization_id = ${organizationId} and kind = ${kind}
       and id is distinct from ${except}::bigint`,
  )

/** Takes a file off the list by its number; returns whether it was on it. */
export const dismissRejected = (tx: Transaction, id: bigint): Promise<boolean> =>
  deleteWithFiles(tx, tx`id = ${id} and problem is not null and ${within(tx, 'organization_id')}`)

const selectRejected = (sql: Sql) => sql`
  select u.id, u.organization_id, u.kind, u.file_name, u.made_at as rejected_at,
         u.problem, u.file_id is not null as kept
    from vigia.upload u
   where u.problem is not null and ${within(sql, 'u.organization_id')}`

/** Rejected files, newest first. */
export const listRejected = (sql: Sql, limit: number) => sql<RejectedFile[]>`
  ${selectRejected(sql)} order by u.id desc limit ${limit}`

/** Rejected files that nobody was notified of. */
export const listRejectedUnnotified = (sql: Sql, since: Date) => sql<RejectedFile[]>`
  ${selectRejected(sql)}
     and u.made_at >= ${since}
     and not exists (select from vigia.alert a where a.key = 'file.rejected ' || u.id)
   order by u.id limit 100`
