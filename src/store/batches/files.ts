import type { Sql } from '../connect.ts'
import { isTaken } from '../copy.ts'
import { firstRow, firstValue } from '../rows.ts'

/** Begins a stored file; it counts as stored only once it has its sha256. */
export const beginFile = (sql: Sql): Promise<bigint> =>
  firstValue(sql`insert into vigia.file default values returning id`)

export const writePart = (sql: Sql, fileId: bigint, part: number, bytes: Uint8Array) => sql`
  insert into vigia.file_part (file_id, part, bytes) values (${fileId}, ${part}, ${Buffer.from(bytes)})`

export type StoredFile = { id: bigint; sha256: string; size: bigint; repeated: boolean }

/** Seals a file with its sha256; if the same bytes are stored already, those are kept and ours are dropped. */
export const sealFile = async (
  sql: Sql,
  fileId: bigint,
  file: { sha256: string; size: bigint; parts: number },
): Promise<StoredFile> => {
  const sealed = await sql`
    update vigia.file set sha256 = ${file.sha256}, size = ${file.size}, parts = ${file.parts}
     where id = ${fileId} and not exists (select from vigia.file f where f.sha256 = ${file.sha256})
    returning id`.catch(ignoreRepeat)
  if (sealed.length > 0) return { id: fileId, sha256: file.sha256, size: file.size, repeated: false }
  await dropFile(sql, fileId)
  const id = await firstValue<bigint>(sql`select id from vigia.file where sha256 = ${file.sha256}`)
  return { id, sha256: file.sha256, size: file.size, repeated: true }
}

/** If two processes store the same bytes at once, the unique index decides; the later one keeps the earlier one's. */
const ignoreRepeat = (error: unknown): never[] => {
  if (isTaken(error, 'file_sha256')) return []
  throw error
}

export const dropFile = (sql: Sql, fileId: bigint) => sql`delete from vigia.file where id = ${fileId}`

/** Deletes a file unless a batch or an upload still needs it. */
export const dropUnneeded = (sql: Sql, fileId: bigint) => sql`
  delete from vigia.file
   where id = ${fileId}
     and not exists (select from vigia.batch b where b.file_id = ${fileId} or b.workbook_id = ${fileId})
     and not exists (select from vigia.upload u where u.file_id = ${fileId})`

export const countParts = (sql: Sql, fileId: bigint): Promise<number> =>
  firstValue(sql`select count(*)::int as parts from vigia.file_part where file_id = ${fileId}`)

/** The bytes of a part, or a piece of them. */
export const readPart = async (
  sql: Sql,
  { fileId, part, from = 0, size = 2 ** 30 }: { fileId: bigint; part: number; from?: number; size?: number },
): Promise<Buffer> => {
  const bytes = await firstValue<Buffer | null>(sql`
    select substring(bytes from ${from + 1}::int for ${size}::int)
      from vigia.file_part
     where file_id = ${fileId} and part = ${part}`)
  if (!bytes) throw new Error(`Part ${part} of the stored file ${fileId} is gone`)
  return bytes
}

export const dropParts = (sql: Sql, fileId: bigint) => sql`delete from vigia.file_part where file_id = ${fileId}`

export const resealFile = (sql: Sql, fileId: bigint, file: { sha256: string; size: bigint; parts: number }) => sql`
  update vigia.file set sha256 = ${file.sha256}, size = ${file.size}, parts = ${file.parts} where id = ${fileId}`

/** Uploads that were interrupted before they were sealed. */
export const dropUnsealed = (sql: Sql, before: Date) => sql`
  delete from vigia.file where sha256 is null and stored_at < ${before} returning id`

/** Where each part begins in the decoded text of the file; null if not known yet. */
export const partPlaces = (sql: Sql, fileId: bigint) => sql<{ part: number; textAt: bigint | null }[]>`
  select part, text_at from vigia.file_part where file_id = ${fileId} order by part`

/** Stores where the parts begin. */
export const keepPlaces = (sql: Sql, fileId: bigint, textAt: number[]) => sql`
  update vigia.file_part p set text_at = known.at
    from unnest(${textAt}::bigint[]) with ordinality as known (at, number)
   where p.file_id = ${fileId} and p.part = known.number - 1`

type Reader = { host: string; process: string }

/** An earlier claim that was never released; `heard` says that its worker still sends heartbeats. */
type EarlierClaim = Reader & { heard: boolean }

/**
 * Claims a file for reading, and lists the open claims on the same bytes from the same line on. A claim is forgotten after
 * a day, so that a fixed version may try the file again.
 */
export const claimFileRead = (
  sql: Sql,
  { fileId, fromLine, host, process }: Reader & { fileId: bigint; fromLine: number },
): Promise<{ id: bigint; earlier: EarlierClaim[] } | null> =>
  firstRow(sql`
    with forgotten as (
      delete from vigia.file_read where began_at < now() - interval '1 day'),
    claimed as (
      insert into vigia.file_read (sha256, from_line, host, process)
      select sha256, ${fromLine}::int, ${host}::text, ${process}::text from vigia.file
       where id = ${fileId} and sha256 is not null
      returning id, sha256, from_line)
    select c.id,
           coalesce(
             (select jsonb_agg(jsonb_build_object(
                       'host', r.host, 'process', r.process, 'heard', exists (
                         select from vigia.worker w
                          where w.host = r.host and w.pid::text = split_part(r.process, ' ', 1)
                            and w.heartbeat_at > clock_timestamp() - interval '15 seconds')))
                from vigia.file_read r
               where r.sha256 = c.sha256 and r.from_line = c.from_line
                 and r.began_at >= now() - interval '1 day'),
             '[]') as earlier
      from claimed c`)

export const releaseFileRead = (sql: Sql, id: bigint) => sql`delete from vigia.file_read where id = ${id}`

/** Bytes that were read to an orderly end have shown that they end no process. */
export const forgetFileReads = (sql: Sql, id: bigint) => sql`
  delete from vigia.file_read r using vigia.file_read ours
   where ours.id = ${id} and r.sha256 = ours.sha256 and r.from_line = ours.from_line`
