import type { Kind } from '../domain/kind.ts'
import { recordAudit } from '../store/audit.ts'
import type { Database } from '../store/connect.ts'
import { holdLane, resumeLane } from '../store/lanes.ts'
import { BatchRefusal } from './batch-refusal.ts'

export type LaneName = { organizationId: number; kind: Kind }
type Word = { by: string; now: Date }

/** Nothing leaves in this lane until an operator says so. */
export const holdLaneByHand = (sql: Database, lane: LaneName, { by, now, reason }: Word & { reason: string }) =>
  sql.begin(async (tx) => {
    await holdLane(tx, lane, { cause: 'operator', detail: reason, probeAt: null }, now)
    await recordAudit(tx, by, 'hold lane', nameOf(lane), { reason })
  })

/** Frees a lane whatever holds it; if the cause is still there, the next call holds it again. */
export const resumeLaneByHand = (sql: Database, lane: LaneName, { by }: Word) =>
  sql.begin(async (tx) => {
    if (!(await resumeLane(tx, lane)))
      throw new BatchRefusal(`Lane ${nameOf(lane)} is not held: 'vigia lanes' lists them`)
    await recordAudit(tx, by, 'resume lane', nameOf(lane))
  })

export const nameOf = ({ organizationId, kind }: { organizationId: number | bigint; kind: Kind }): string =>
  `${organizationId}/${kind}`
