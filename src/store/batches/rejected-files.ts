import type { Kind } from '../../domain/kind.ts'
import type { Message } from '../../messages/message.ts'
import { within } from '../bound.ts'
import type { Sql, Transaction } from '../connect.ts'
import { messageJson } from '../messages.ts'
import { dropUnneeded } from './files.ts'

/** The name of a file in the inbox, for one organization and kind. */
export type InboxName = { fileName: string; organizationId: number; kind: Kind }

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
  const earlier = await deleteRejected(tx, file)
  await tx`
    insert into vigia.upload (file_id, organization_id, kind, file_name, uploaded_by, max_spend, purpose, problem)
    values (${file.fileId}, ${file.organizationId}, ${file.kind}, ${file.fileName}, 'inbox', ${file.maxSpend},
            ${file.purpose ?? null}, ${messageJson(tx, file.problem)})`
  for (const fileId of earlier) await dropUnneeded(tx, fileId)
}

/** Takes a file off the list, because one of its name was accepted. */
export const dropRejected = async (tx: Transaction, name: InboxName): Promise<void> => {
  for (const fileId of await deleteRejected(tx, name)) await dropUnneeded(tx, fileId)
}

const deleteRejected = async (tx: Transaction, { fileName, organizationId, kind }: InboxName): Promise<bigint[]> => {
  const gone = await tx<{ fileId: bigint | null }[]>`
    delete from vigia.upload
     where problem is not null and file_name = ${fileName} and organization_id = ${organizationId} and kind = ${kind}
    returning file_id as "fileId"`
  return gone.flatMap(({ fileId }) => fileId ?? [])
}

/** Takes a file off the list by its number; returns whether it was on it. */
export const dismissRejected = async (tx: Transaction, id: bigint): Promise<boolean> => {
  const gone = await tx<{ fileId: bigint | null }[]>`
    delete from vigia.upload
     where id = ${id} and problem is not null and ${within(tx, 'organization_id')}
    returning file_id as "fileId"`
  for (const { fileId } of gone) if (fileId !== null) await dropUnneeded(tx, fileId)
  return gone.length > 0
}

const selectRejected = (sql: Sql) => sql`
  select u.id, u.organization_id as "organizationId", u.kind, u.file_name as "fileName", u.made_at as "rejectedAt",
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
