import type { Sql } from '../connect.ts'

type Reader = { host: string; process: string }

/** An earlier claim that was never released; `heard` says that its worker still sends heartbeats. */
type EarlierClaim = Reader & { heard: boolean }

/**
 * Claims a file for reading, and lists the open claims on the same bytes from the same line on. A claim is forgotten after
 * a day, so that a fixed version may try the file again.
 */
export const claimFileRead = async (
  sql: Sql,
  { fileId, fromLine, host, process }: Reader & { fileId: bigint; fromLine: number },
): Promise<{ id: bigint; earlier: EarlierClaim[] } | null> => {
  const [row] = await sql<{ id: bigint; earlier: EarlierClaim[] }[]>`
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
      from claimed c`
  return row ?? null
}

export const releaseFileRead = (sql: Sql, id: bigint) => sql`delete from vigia.file_read where id = ${id}`

/** Bytes that were read to an orderly end have shown that they end no process. */
export const forgetFileReads = (sql: Sql, id: bigint) => sql`
  delete from vigia.file_read r using vigia.file_read ours
   where ours.id = ${id} and r.sha256 = ours.sha256 and r.from_line = ours.from_line`
