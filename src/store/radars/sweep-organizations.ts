import type { Message } from '../../messages/message.ts'
import type { Sql, Transaction } from '../connect.ts'
import { isSent } from '../lookups/intents.ts'
import { historyLine, messageJson } from '../messages.ts'
import { countRows, onlyRow } from '../rows.ts'

export type ListState = 'pending' | 'applied' | 'suspicious' | 'failed'

/** The progress of a radar sweep with one organization. */
export type SweepOrganization = {
  organizationId: bigint
  list: ListState
  /** Why its list could not be read or was rejected. */
  message: Message | null
  triedAt: Date | null
  /** Whether the free totals of the list of analyses were read. */
  totals: 'pending' | 'read' | 'failed'
}

export const addOrganizations = (sql: Sql, sweepId: bigint, organizationIds: number[]) => sql`
  insert into vigia.sweep_organization (sweep_id, organization_id)
  select ${sweepId}, id from unnest(${organizationIds}::bigint[]) as organization (id)
      on conflict do nothing`

export const listOrganizations = (sql: Sql, sweepId: bigint) => sql<SweepOrganization[]>`
  select ${organizationColumns(sql)}
    from vigia.sweep_organization
   where sweep_id = ${sweepId}
   order by organization_id`

export const recordList = (
  sql: Sql,
  sweepId: bigint,
  organizationId: number,
  list: { is: ListState; message: Message | null; triedAt: Date },
) => sql`
  update vigia.sweep_organization
     set list = ${list.is}, message = ${list.message && messageJson(sql, list.message)}, tried_at = ${list.triedAt}
   where sweep_id = ${sweepId} and organization_id = ${organizationId}`

/** The progress of a sweep with an organization, locked until the transaction ends: two jobs of one sweep take turns. */
export const lockOrganization = (sql: Sql, sweepId: bigint, organizationId: bigint): Promise<SweepOrganization> =>
  onlyRow(sql`
    select ${organizationColumns(sql)}
      from vigia.sweep_organization
     where sweep_id = ${sweepId} and organization_id = ${organizationId}
       for update`)

const organizationColumns = (sql: Sql) => sql`
  organization_id, list, message, tried_at, totals`

/**
 * Cancels what sweeps that have ended did not ask, unless a row of some file waits for the same answer. The look-ups are
 * locked first: an import that is just pointing a row to one of them ends before, and the second query sees it.
 */
export const cancelUnasked = async (tx: Transaction, now: Date): Promise<void> => {
  const queued = await tx<{ id: bigint }[]>`
    select l.id
      from vigia.batch b
      join vigia.lookup l on l.batch_id = b.id and l.kind = b.kind and l.state = 'queued'
     where b.sweep_id is not null and b.finished_at is null and not ${isUnderWay(tx)} and not ${isWanted(tx)}
     order by l.id
       for no key update of l`
  await tx`
    update vigia.lookup l
       set state = 'cancelled', finished_at = ${now}, due_at = null,
           trace = array_append(l.trace, ${historyLine(now, ['sweep_over'])})
     where l.id = any(${queued.map(({ id }) => id)}::bigint[]) and not ${isSent(tx)} and not ${isWanted(tx)}`
}

const isWanted = (sql: Sql) => sql`
  exists (select from vigia.batch_row r where r.lookup_id = l.id and not r.cancelled)`

/**
 * Ends the batches without a file, once nothing they paid for is still to be fetched: those of sweeps that have ended, and
 * those made to settle a purchase of a sweep, which belong to none.
 */
export const finishSweepBatches = (sql: Sql, now: Date): Promise<number> =>
  countRows(sql`
    update vigia.batch b
       set finished_at = ${now}, state = case when b.state = 'running' then 'done' else b.state end
     where b.source = 'sweep' and b.finished_at is null and not ${isUnderWay(sql)}
       and not exists (select from vigia.lookup l
                        where l.batch_id = b.id and l.kind = b.kind and l.state in ('queued', 'sending', 'waiting'))`)

const isUnderWay = (sql: Sql) => sql`
  exists (select from vigia.sweep s where s.id = b.sweep_id and s.state = 'running')`
