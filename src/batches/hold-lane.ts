import type { Kind } from '../domain/kind.ts'
import type { Database } from '../store/connect.ts'
import { holdLane, resumeLane } from '../store/fleet/lanes.ts'
import { recordAudit } from '../store/people/audit.ts'
import { laneId } from '../views/lane.ts'
import { BatchRefusal } from './batch-or-refuse.ts'

export type LaneName = { organizationId: number; kind: Kind }
type ByOperator = { by: string; now: Date }

/** Holds a lane until an operator resumes it. A reason that the operator wrote is stored as it is. */
export const holdLaneByHand = (sql: Database, lane: LaneName, { by, now, reason }: ByOperator & { reason?: string }) =>
  sql.begin(async (tx) => {
    await holdLane(
      tx,
      lane,
      { cause: 'operator', reason: reason ? ['text', reason] : ['held_by_hand'], trialAt: null },
      now,
    )
    await recordAudit(tx, by, 'hold lane', laneId(lane), { reason: reason ?? null })
  })

/** Resumes a lane whatever holds it. If the cause persists, the next call holds it again. */
export const resumeLaneByHand = (sql: Database, lane: LaneName, { by }: ByOperator) =>
  sql.begin(async (tx) => {
    if (!(await resumeLane(tx, lane))) throw new BatchRefusal(['lane_free', laneId(lane)])
    await recordAudit(tx, by, 'resume lane', laneId(lane))
  })
