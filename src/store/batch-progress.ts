import type { HoldCause } from '../domain/call-failure.ts'
import type { Kind } from '../domain/kind.ts'
import type { Sql } from './connect.ts'

type Lane = { organizationId: bigint; kind: Kind }

/** Workers that were heard of lately. */
export const countLiveWorkers = async (sql: Sql, silentForMs = 15_000): Promise<number> => {
  const [row] = await sql<{ workers: number }[]>`
    select count(*)::int as workers
      from worker
     where beat_at > clock_timestamp() - make_interval(secs => ${silentForMs / 1000})`
  return row!.workers
}

export type LaneHold = { cause: HoldCause; detail: string | null; heldAt: Date; probeAt: Date | null }

export const readHold = async (sql: Sql, { organizationId, kind }: Lane): Promise<LaneHold | null> => {
  const [row] = await sql<LaneHold[]>`
    select cause, detail, held_at as "heldAt", probe_at as "probeAt"
      from lane
     where organization_id = ${organizationId} and kind = ${kind}`
  return row ?? null
}

/** Whether a held lane still does something for a batch: fetches what was paid for, or tries if the cause is gone. */
export const stillMoves = async (sql: Sql, batchId: bigint, { organizationId, kind }: Lane): Promise<boolean> => {
  const [row] = await sql<{ moves: boolean }[]>`
    select exists (select from lane
                    where organization_id = ${organizationId} and kind = ${kind} and probe_at <= clock_timestamp())
        or exists (select from lookup l
                     left join lane on lane.organization_id = l.organization_id and lane.kind = l.kind
                    where l.batch_id = ${batchId} and l.finished_at is null
                      and (l.job_id is not null
                           or (l.state <> 'queued' and (lane.cause is null or lane.cause in ('plan', 'budget'))))) as moves`
  return row!.moves
}

/** Someone believes that the cause is gone: one call may try at once. What an operator holds stays held. */
export const probeSoon = (sql: Sql, { organizationId, kind }: Lane, now: Date) => sql`
  update lane set probe_at = least(probe_at, ${now})
   where organization_id = ${organizationId} and kind = ${kind} and cause <> 'operator'`
