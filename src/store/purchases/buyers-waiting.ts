import type { Sql } from '../connect.ts'
import type { PaidLane } from './purchases.ts'

/**
 * Whether look-ups are about to buy more in a lane, so that its list will grow, and whether a hold delays them. A look-up
 * that was refused may be refused until its deadline; one whose call was proven absent was not.
 */
export const buyersWaiting = async (
  sql: Sql,
  { organizationId, kind }: PaidLane,
): Promise<{ wait: boolean; areHeld: boolean }> => {
  const [row] = await sql<{ wait: boolean; areHeld: boolean }[]>`
    select exists (select from vigia.batch b
                    cross join lateral (select from vigia.lookup l
                                         where l.kind = b.kind and l.state = 'queued' and l.batch_id = b.id
                                           and l.due_at is not null and (l.attempts = 0 or l.message is null)
                                         limit 1) queued
                    where b.organization_id = ${organizationId} and b.kind = ${kind}
                      and b.finished_at is null and vigia.may_ask(b)) as wait,
           exists (select from vigia.lane
                    where lane.organization_id = ${organizationId} and lane.kind = ${kind}
                      and vigia.hold_stops(lane.cause, 'queued')) as "areHeld"`
  return row!
}
