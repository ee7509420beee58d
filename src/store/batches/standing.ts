import type { BatchSource, ReportedState } from '../../domain/batch.ts'
import { type Kind, spendingKinds } from '../../domain/kind.ts'
import type { OpenState } from '../../domain/lookup.ts'
import { within } from '../bound.ts'
import type { Sql } from '../connect.ts'
import { isClaimed } from '../lookups/claims.ts'
import { firstValue } from '../rows.ts'

type Lane = { organizationId: bigint; kind: Kind }

/** Whether a held lane still works for a batch: it fetches what was paid for, or tries whether the cause is gone. */
export const stillMoves = (sql: Sql, batchId: bigint, { organizationId, kind }: Lane): Promise<boolean> =>
  firstValue(sql`
    select exists (select from vigia.lane
                    where organization_id = ${organizationId} and kind = ${kind} and trial_at <= clock_timestamp())
        or exists (select from vigia.lookup l
                     left join vigia.lane on lane.organization_id = l.organization_id and lane.kind = l.kind
                                   and vigia.hold_stops(lane.cause, l.state)
                    where l.batch_id = ${batchId} and l.finished_at is null
                      and (${isClaimed(sql)} or l.state <> 'queued' and lane.cause is null)) as moves`)

/**
 * Whether a held lane stops batch `b`, which must have been joined with its `lane`.
 *
 * Some holds stop new calls only, as `vigia.hold_stops` says, and let what was paid for be fetched, so a batch that only
 * fetches continues. A batch without claimed look-ups of its own waits for look-ups of others, which are stopped as well.
 */
const stopsBatch = (sql: Sql) => sql`
  lane.cause is not null and b.finished_at is null and vigia.may_ask(b)
  and (vigia.hold_stops(lane.cause, 'waiting') or ${has(sql, 'queued')}
       or not (${has(sql, 'waiting')} or ${has(sql, 'sending')}))`

/** One index scan; an `exists` may be planned as a full table scan, see `findDueBatches`. */
const has = (sql: Sql, state: OpenState) => sql`
  (select true from vigia.lookup l
    where l.kind = b.kind and l.state = ${state} and l.batch_id = b.id and l.due_at is not null
    order by l.due_at
    limit 1) is not null`

export type StoppedBatch = {
  id: bigint
  name: string
  source: BatchSource
  organizationId: bigint
  kind: Kind
  documents: number
  ended: number
}

const stoppedColumns = (sql: Sql) => sql`
  b.id, b.name, b.source, b.organization_id, b.kind, b.rows * b.documents_per_row as documents,
  (select coalesce(sum(c.rows), 0)::int from vigia.batch_count c where c.batch_id = b.id) as ended`

/** The batches that are stopped because their lane is held, oldest first. */
export const stoppedBatches = (sql: Sql) => sql<StoppedBatch[]>`
  select ${stoppedColumns(sql)}
    from vigia.batch b
    join vigia.lane on lane.organization_id = b.organization_id and lane.kind = b.kind
   where ${stopsBatch(sql)} and ${within(sql, 'b.organization_id')}
   order by b.id`

/** The paid batches that wait until the registry's list has been read again, and from when it may be read. */
export const batchesAwaitingLedger = (sql: Sql) => sql<(StoppedBatch & { listReadAfter: Date })[]>`
  select ${stoppedColumns(sql)}, f.list_read_after
    from vigia.fleet f
    join vigia.batch b on b.finished_at is null and vigia.may_ask(b) and b.kind = any(${[...spendingKinds]}::text[])
   where f.list_read_after > '-infinity' and ${has(sql, 'queued')} and ${within(sql, 'b.organization_id')}
     and (f.list_read_after > clock_timestamp()
          or b.kind = 'analysis' and not exists (
               select from vigia.list_snapshot r
                where r.organization_id = b.organization_id and r.kind = b.kind and r.complete is not null
                  and r.began_at >= f.list_read_after))
   order by b.id`

/**
 * Batches that wait for a worker to import them, look up or write their report, oldest first. A cancelled one is still
 * imported to its end, and fetches what it paid for.
 */
export const batchesWithWork = (sql: Sql) => sql<StoppedBatch[]>`
  select ${stoppedColumns(sql)}
    from vigia.batch b
   where b.finished_at is null and (vigia.goes_on(b) or b.state = 'cancelled') and ${within(sql, 'b.organization_id')}
   order by b.id`

/** The reported state of batch `b`, which must have been joined with its `lane`, held or not. */
export const reportedState = (sql: Sql) => sql`case when ${stopsBatch(sql)} then 'held' else vigia.shown_state(b) end`

/** The reported state of this batch now; null if it does not exist. */
export const readReportedState = (sql: Sql, batchId: bigint): Promise<ReportedState | null> =>
  firstValue(sql`
    select ${reportedState(sql)} as reported
      from vigia.batch b
      left join vigia.lane on lane.organization_id = b.organization_id and lane.kind = b.kind
     where b.id = ${batchId}`)
