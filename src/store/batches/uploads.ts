import type { ReportEncoding, ReportFormat } from '../../domain/batch.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Language } from '../../messages/languages.ts'
import { within } from '../bound.ts'
import type { Sql } from '../connect.ts'
import { firstRow, firstValue } from '../rows.ts'
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
    select u.id, u.file_id as "fileId", f.sha256, u.organization_id as "organizationId", u.kind, u.file_name as "fileName",
           u.uploaded_by as "uploadedBy", u.max_spend as "maxSpend", u.encoding, u.format, u.language, u.purpose, u.replaces
      from vigia.upload u
      join vigia.file f on f.id = u.file_id
     where u.id = ${id} and ${within(sql, 'u.organization_id')}`)

export const dropUpload = (sql: Sql, id: bigint) => sql`delete from vigia.upload where id = ${id}`

/**
 * Deletes uploads that were abandoned, with their files: those of the page from before one time, and rejected ones of
 * the inbox from before another.
 */
export const dropUploads = async (sql: Sql, before: { sent: Date; rejected: Date }): Promise<void> => {
  const gone = await sql<{ fileId: bigint | null }[]>`
    delete from vigia.upload
     where made_at < case when problem is null then ${before.sent}::timestamptz else ${before.rejected}::timestamptz end
    returning file_id as "fileId"`
  await dropFilesOf(sql, gone)
}

/** Deletes what erasing a person takes: what was sent to the page, and rejected files that hold the person. */
export const dropUploadsAbout = async (sql: Sql, fileIds: bigint[]): Promise<void> => {
  const gone = await sql<{ fileId: bigint | null }[]>`
    delete from vigia.upload where problem is null or file_id = any(${fileIds}::bigint[])
    returning file_id as "fileId"`
  await dropFilesOf(sql, gone)
}

const dropFilesOf = async (sql: Sql, uploads: { fileId: bigint | null }[]): Promise<void> => {
  for (const { fileId } of uploads) if (fileId !== null) await dropUnneeded(sql, fileId)
}
