import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { Charge, LookupState } from '../domain/lookup.ts'
import type { Sql } from './connect.ts'

/** Which of these purchases already belong to a look-up, current, superseded, or deleted since: the books remember those. */
export const ownedRemotes = async (sql: Sql, kind: Kind, remoteIds: string[]): Promise<Set<string>> => {
  if (remoteIds.length === 0) return new Set()
  const rows = await sql<{ remoteId: string }[]>`
    select remote_id as "remoteId" from lookup where kind = ${kind} and remote_id = any(${remoteIds}::text[])
     union
    select remote_id from purchase where kind = ${kind} and remote_id = any(${remoteIds}::text[]) and lookup_id is not null`
  return new Set(rows.map(({ remoteId }) => remoteId))
}

/** One row's look-up with its whole story. */
export type LookupStory = {
  id: bigint
  organizationId: bigint
  kind: Kind
  question: string
  state: LookupState
  charged: Charge
  remoteId: string | null
  seen: string | null
  detail: string | null
  askedAt: Date
  sendingAt: Date | null
  deadlineAt: Date
  dueAt: Date | null
  asOf: Date | null
  finishedAt: Date | null
  polls: number
  attempts: number
  trace: string[]
}

export const readStory = async (sql: Sql, id: bigint): Promise<LookupStory | null> => {
  const [row] = await sql<LookupStory[]>`
    select id, organization_id as "organizationId", kind, question, state, charged, remote_id as "remoteId", seen, detail,
           asked_at as "askedAt", sending_at as "sendingAt", deadline_at as "deadlineAt", due_at as "dueAt",
           as_of as "asOf", finished_at as "finishedAt", polls, attempts, trace
      from lookup
     where id = ${id}`
  return row ?? null
}

/** A person's word about a parked look-up: it was bought and this is its name, send it again, or let it go. */
export const resolveParked = async (
  sql: Sql,
  id: bigint,
  word: { to: 'waiting' | 'queued' | 'cancelled'; remote?: { id: string; key: string | null }; story: string },
  deadlineAt: Date,
  now: Date,
): Promise<boolean> => {
  const settled = await sql`
    update lookup
       set state = ${word.to},
           charged = case when ${word.to} = 'waiting' then 'yes'
                          when ${word.to} = 'cancelled' and kind = any(${[...spendingKinds]}::text[]) then charged
                          else 'no' end,
           adopted_at = case when ${word.to} = 'waiting' then ${now}::timestamptz end,
           remote_id = ${word.remote?.id ?? null}, remote_key = ${word.remote?.key ?? null},
           due_at = case when ${word.to} = 'cancelled' then null else ${now}::timestamptz end,
           finished_at = case when ${word.to} = 'cancelled' then ${now}::timestamptz end,
           deadline_at = ${deadlineAt}, attempts = 0, polls = 0, absent_at = null, detail = null,
           trace = trace || (${now.toISOString()} || ' ' || ${word.story})
     where id = ${id} and state = 'unknown_outcome'
    returning id`
  return settled.length > 0
}
