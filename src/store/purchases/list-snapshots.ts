import type { ListFigures } from '../../domain/judge.ts'
import type { Message } from '../../messages/message.ts'
import type { Sql, Transaction } from '../connect.ts'
import { messageJson } from '../messages.ts'
import { firstRow, firstValue, onlyRow } from '../rows.ts'
import type { PaidLane } from './purchases.ts'

/** One complete read of the registry's list of purchases. */
export type ListSnapshot = {
  id: bigint
  beganAt: Date
  complete: boolean
  /** It certainly is incomplete: its total counts more, or a purchase of ours is not in it. */
  lacks: boolean
  /** When the oldest and the youngest purchase of ours in it were intended. */
  oldestAt: Date | null
  youngestAt: Date | null
  /** When the youngest of ours was intended that it had to show, and shows. */
  requiredAt: Date | null
  /** When the youngest of ours was intended that is not in it, and may still appear; null if none is awaited. */
  awaitedAt: Date | null
}

const listSnapshotColumns = (sql: Sql) => sql`
  id, began_at, complete, lacks, oldest_at, youngest_at, required_at, awaited_at`

/**
 * Lets one process read the list of a lane for the fleet; false while another does. The lock lasts as long as the
 * transaction, so it is released if the process dies.
 */
export const lockListRead = (tx: Transaction, { organizationId, kind }: PaidLane): Promise<boolean> =>
  firstValue(tx`
    select pg_try_advisory_xact_lock(hashtextextended(${`vigia reading ${kind}`}, ${organizationId})) as locked`)

/** Begins to read a list, under its lock: a snapshot that is still open was abandoned. */
export const beginListRead = async (
  sql: Sql,
  { organizationId, kind }: PaidLane,
): Promise<{ id: bigint; beganAt: Date }> => {
  await sql`
    update vigia.list_snapshot set ended_at = clock_timestamp(), message = ${messageJson(sql, ['reader_gone'])}
     where organization_id = ${organizationId} and kind = ${kind} and ended_at is null`
  return onlyRow(sql`
    insert into vigia.list_snapshot (organization_id, kind) values (${organizationId}, ${kind})
    returning id, began_at`)
}

/** Stores a finished snapshot: the latest records of some documents, read one by one, and whether all were read. */
export const insertListSnapshot = (
  sql: Sql,
  { organizationId, kind }: PaidLane,
  { beganAt, complete }: Pick<ListSnapshot, 'beganAt' | 'complete'>,
): Promise<ListSnapshot> =>
  onlyRow(sql`
    insert into vigia.list_snapshot (organization_id, kind, began_at, ended_at, complete)
    values (${organizationId}, ${kind}, ${beganAt}, clock_timestamp(), ${complete})
    returning ${listSnapshotColumns(sql)}`)

/** The figures of a list, and what it shows. */
type ListSnapshotEnd = Pick<ListFigures, 'analyses' | 'limit'> &
  Omit<ListSnapshot, 'id' | 'beganAt'> & {
    misdated: boolean
    /** Null if no list came. */
    items: number | null
  }

export const endListRead = (sql: Sql, id: bigint, end: ListSnapshotEnd) => sql`
  update vigia.list_snapshot
     set ended_at = clock_timestamp(), items = ${end.items}, analyses = ${end.analyses}, list_limit = ${end.limit}, complete = ${end.complete},
         lacks = ${end.lacks}, misdated = ${end.misdated},
         oldest_at = ${end.oldestAt}, youngest_at = ${end.youngestAt}, required_at = ${end.requiredAt},
         awaited_at = ${end.awaitedAt}
   where id = ${id} and ended_at is null
  returning id`

export const failListRead = (sql: Sql, id: bigint, problem: Message) => sql`
  update vigia.list_snapshot set ended_at = clock_timestamp(), message = ${messageJson(sql, problem)} where id = ${id} and ended_at is null`

/** The newest finished snapshot of a lane, and whether the registry contradicted the ledger since. */
export const latestListSnapshot = (
  sql: Sql,
  { organizationId, kind }: PaidLane,
): Promise<(ListSnapshot & { isContradicted: boolean }) | null> =>
  firstRow(sql`
    select ${listSnapshotColumns(sql)},
           exists (select from vigia.contradiction c
                    where c.organization_id = ${organizationId} and c.kind = ${kind} and c.found_at >= began_at) as is_contradicted
      from vigia.list_snapshot
     where organization_id = ${organizationId} and kind = ${kind} and complete is not null
     order by id desc
     limit 1`)

/** When the first list of a lane began that was read since a moment; null if none was. */
export const firstListSince = (sql: Sql, { organizationId, kind }: PaidLane, since: Date): Promise<Date | null> =>
  firstValue(sql`
    select min(began_at)
      from vigia.list_snapshot
     where organization_id = ${organizationId} and kind = ${kind} and complete is not null and began_at >= ${since}`)

/** The number of the newest snapshot of a lane, finished or not: one with a higher number began later. */
export const newestListSnapshotId = (sql: Sql, { organizationId, kind }: PaidLane): Promise<bigint> =>
  firstValue(sql`
    select coalesce(max(id), 0) from vigia.list_snapshot where organization_id = ${organizationId} and kind = ${kind}`)

/** Whether a list of a lane was read since these look-ups were requested, or at most so long before the last of them. */
export const wasReadFor = (
  sql: Sql,
  { organizationId, kind }: PaidLane,
  ids: bigint[],
  longestBeforeMs: number,
): Promise<boolean> =>
  firstValue(sql`
    select exists (
      select from vigia.list_snapshot r
       where r.organization_id = ${organizationId} and r.kind = ${kind} and r.complete is not null
         and r.began_at >= (select max(asked_at) from vigia.lookup where id = any(${ids}::bigint[]))
                           - ${longestBeforeMs} * interval '1 millisecond') as is_read`)

/** Whether the last list that came up to each of these snapshots of a lane was complete; none if there was none. */
export const completeAsOf = async (
  sql: Sql,
  { organizationId, kind }: PaidLane,
  ids: bigint[],
): Promise<Map<bigint, boolean>> => {
  const rows = await sql<{ id: bigint; complete: boolean }[]>`
    select before.id, list.complete
      from unnest(${ids}::bigint[]) as before (id)
     cross join lateral (
       select complete from vigia.list_snapshot
        where organization_id = ${organizationId} and kind = ${kind} and id <= before.id and complete is not null
        order by id desc
        limit 1) list`
  return new Map(rows.map(({ id, complete }) => [id, complete]))
}

/** Organizations whose newest list lacks nothing and does not say that it shows everything, and how many purchases it holds. */
export const undeclaredLists = (sql: Sql) => sql<{ organizationId: bigint; items: number }[]>`
  select organization_id, items
    from (select distinct on (organization_id) organization_id, items, complete, lacks, oldest_at
            from vigia.list_snapshot
           where kind = 'analysis' and complete is not null
           order by organization_id, id desc) as newest
   where not complete and not lacks and oldest_at is not null
   order by organization_id`

/** Why the newest attempt did not bring a list, and when it was; null if it did. */
export const latestProblem = (
  sql: Sql,
  { organizationId, kind }: PaidLane,
): Promise<{ problem: Message; endedAt: Date } | null> =>
  firstRow(sql`
    select problem, ended_at
      from (select message as problem, ended_at
              from vigia.list_snapshot
             where organization_id = ${organizationId} and kind = ${kind} and ended_at is not null
             order by id desc
             limit 1) as newest
     where problem is not null`)

/** Deletes old snapshots: there are many, and their purchases are in the ledger, so the last ones of a lane are enough. */
export const forgetOldListSnapshots = (sql: Sql, before: Date) => sql`
  delete from vigia.list_snapshot r
   where r.ended_at < ${before}
     and r.id < (select max(id) from vigia.list_snapshot n where n.organization_id = r.organization_id and n.kind = r.kind)`

/**
 * Whether look-ups are about to buy more in a lane, so that its list will grow, and whether a hold delays them. A look-up
 * that was refused may be refused until its deadline; one whose call was proven absent was not.
 */
export const buyersWaiting = (
  sql: Sql,
  { organizationId, kind }: PaidLane,
): Promise<{ wait: boolean; areHeld: boolean }> =>
  onlyRow(sql`
    select exists (select from vigia.batch b
                    cross join lateral (select from vigia.lookup l
                                         where l.kind = b.kind and l.state = 'queued' and l.batch_id = b.id
                                           and l.due_at is not null and (l.attempts = 0 or l.message is null)
                                         limit 1) queued
                    where b.organization_id = ${organizationId} and b.kind = ${kind}
                      and b.finished_at is null and vigia.may_ask(b)) as wait,
           exists (select from vigia.lane
                    where lane.organization_id = ${organizationId} and lane.kind = ${kind}
                      and vigia.hold_stops(lane.cause, 'queued')) as are_held`)
