import { erasedText, type Lookup } from '../../domain/lookup.ts'
import type { Sql } from '../connect.ts'

/** The look-ups that a job has claimed and may work on now. */
export const readWorkable = async (sql: Sql, ids: bigint[], jobId: string, now: Date): Promise<Lookup[]> => {
  const rows = await sql<LookupRow[]>`
    select ${lookupColumns(sql)}, list_snapshot_id
      from vigia.lookup
     where id in (${workable(sql, ids, jobId, now)})`
  return rows.map(toLookup)
}

/** A held lane admits only a trial; a paused or cancelled batch only what it already paid for. */
export const workable = (sql: Sql, ids: bigint[], jobId: string, now: Date) => sql`
  select l.id
    from vigia.claim c
    join vigia.lookup l on l.id = any(${ids}::bigint[]) and l.state = c.state
    join vigia.batch b on b.id = l.batch_id
    left join vigia.lane on lane.organization_id = l.organization_id and lane.kind = l.kind
                  and vigia.hold_stops(lane.cause, l.state)
   where c.job_id = ${jobId}
     and (l.state <> 'queued' or vigia.may_ask(b))
     and (lane.cause is null or (lane.trial_at > ${now} and ${ids.length} = 1))`

/** A look-up as PostgreSQL returns it. */
export type LookupRow = Omit<Lookup, 'organizationId' | 'remote'> & {
  organizationId: bigint
  remoteId: string | null
  remoteKey: string | null
}

export const lookupColumns = (sql: Sql) => sql`
  id, organization_id, kind, question, document_type, label, state, attempts, polls, deadline_at, sending_at,
  unlisted_at, refused_as, message as reason, remote_id, remote_key, charged`

export const toLookup = ({ organizationId, remoteId, remoteKey, ...rest }: LookupRow): Lookup => ({
  ...rest,
  organizationId: Number(organizationId),
  remote: remoteId === null ? null : { id: remoteId, key: remoteKey },
})

/** The person of look-up `l` was erased: only its accounting is left. */
export const isErased = (sql: Sql) => sql`starts_with(l.question, ${erasedText})`
