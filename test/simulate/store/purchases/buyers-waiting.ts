import type { Sql } from '../../../../src/store/connect.ts'
import type { PaidLane } from '../../../../src/store/purchases/purchases.ts'
import { on } from '../handle.ts'
import { holdStops, laneKey, mayAsk } from '../rules.ts'

export const buyersWaiting = async (sql: Sql, lane: PaidLane): Promise<{ wait: boolean; areHeld: boolean }> =>
  on(sql, ({ tables }) => {
    const wait = [...tables.lookups.values()].some((l) => {
      if (l.state !== 'queued' || l.dueAt === null || (l.attempts > 0 && l.message !== null)) return false
      const b = tables.batches.get(l.batchId)
      const isOfLane = b?.organizationId === lane.organizationId && b.kind === lane.kind && l.kind === lane.kind
      return isOfLane && b.finishedAt === null && mayAsk(b)
    })
    const held = tables.lanes.get(laneKey(lane))
    return { wait, areHeld: held !== undefined && holdStops(held.cause, 'queued') }
  })
