import { paidPaths, type Question, type Reception } from '../registry/model-registry.ts'
import { Violation } from '../run/violation.ts'
import type { WatchContext } from '../run/witness.ts'
import { holdStops } from '../store/rules.ts'
import type { Actor } from '../time/schedule.ts'

/** In a window of this length no lane meets more refusals than a hold lets through. */
const windowMs = 30_000

/** A chunk of every worker may be under way when a lane is held; one of a worker that stood still continues afterwards. */
export const settlingMs = 20_000

/** A held lane sends at most its trials, and refusals hold it. */
export const createHoldWatch = ({ plan, historyOf }: WatchContext) => {
  const refusals: number[] = []
  const sends = new Map<string, { heldAt: number; count: number; from: number }>()
  const mostRefusals = 120 + 40 * plan.workers

  const laneOf = ({ path, body, at }: Question): { key: string; state: string } | null => {
    const organization = body?.organizationId ?? at?.organizationId
    const kind = paidPaths[path]
    if (kind) return { key: `${organization}/${kind}`, state: 'queued' }
    if (path === '/v2/analytics/{analysisId}') return { key: `${organization}/analysis`, state: 'waiting' }
    return path.includes('/request/') ? { key: `${organization}/cnh`, state: 'waiting' } : null
  }

  return {
    sent(worker: Actor, question: Question): void {
      const lane = laneOf(question)
      if (!lane) return
      const { model, schedule, database } = historyOf()
      const held = model.tables.lanes.get(lane.key)
      if (!held || !holdStops(held.cause, lane.state) || database.rewound || database.clockMs !== 0) return
      const known = sends.get(lane.key)
      const isSame = known?.heldAt === held.heldAt.getTime()
      const counted = isSame ? known : { heldAt: held.heldAt.getTime(), count: 0, from: held.trials }
      sends.set(lane.key, counted)
      if (schedule.now < Math.max(counted.heldAt, worker.pausedUntil) + settlingMs) {
        counted.from = held.trials
        return
      }
      counted.count++
      const trials = held.trials - counted.from
      if (counted.count > 3 * (trials + 1) + plan.workers) {
        const message = `lane ${lane.key}, held for ${held.cause}, sent ${counted.count} requests in ${trials} trials`
        throw new Violation('held lane', message)
      }
    },
    received(question: Question, reception: Reception): void {
      if (reception.is !== 'answered' || reception.answer.status < 400 || !laneOf(question)) return
      if (reception.answer.status >= 500 || reception.answer.status === 404) return
      const { now } = historyOf().schedule
      refusals.push(now)
      while (refusals[0]! < now - windowMs) refusals.shift()
      if (refusals.length > mostRefusals) {
        throw new Violation('refusals', `${refusals.length} calls were refused in ${windowMs / 1_000} s`)
      }
    },
  }
}
