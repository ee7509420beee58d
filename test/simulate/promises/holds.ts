import type { HoldCause } from '../../../src/domain/call-failure.ts'
import { holdEnds } from '../../../src/domain/hold-ends.ts'
import { paidPaths, type Question, type Reception } from '../registry/model-registry.ts'
import { Violation } from '../run/violation.ts'
import type { WatchContext } from '../run/witness.ts'
import { holdStops } from '../store/rules.ts'
import type { LaneRecord } from '../store/tables.ts'
import type { Actor } from '../time/schedule.ts'

/** In a window of this length no lane meets more refusals than a hold lets through. */
const windowMs = 30_000

/**
 * A chunk of every worker may be under way when a lane is held, however long it waits for places; one of a worker that stood
 * still continues afterwards.
 */
export const settlingMs = 20_000

/** What was seen of a hold: its last trial, and the pause that must follow it. */
type SeenHold = {
  heldAt: number
  cause: HoldCause
  trials: number
  trialAt: number | null
  triedAt: number
  pauseMs: number
}

/** A held lane sends at most its trials, they come ever more seldom, and refusals hold it. */
export const createHoldWatch = ({ plan, historyOf }: WatchContext) => {
  const refusals: number[] = []
  const sends = new Map<string, { heldAt: number; count: number; from: number }>()
  const seen = new Map<string, SeenHold>()
  const mostRefusals = 120 + 40 * plan.workers

  const laneOf = ({ path, body, at }: Question): { key: string; state: string } | null => {
    const organization = body?.organizationId ?? at?.organizationId
    const kind = paidPaths[path]
    if (kind) return { key: `${organization}/${kind}`, state: 'queued' }
    if (path === '/v2/analytics/{analysisId}') return { key: `${organization}/analysis`, state: 'waiting' }
    return path.includes('/request/') ? { key: `${organization}/cnh`, state: 'waiting' } : null
  }

  /** Whether the next trial may come sooner: another cause, a time that the registry named, new work for the lane. */
  const mayTrySooner = (known: SeenHold, { cause, trialAt }: LaneRecord): boolean =>
    cause !== known.cause || (known.trialAt !== null && trialAt !== null && trialAt.getTime() < known.trialAt)

  const checkTrials = (key: string, held: LaneRecord, now: number): void => {
    const { cause, trials, trialAt } = held
    const known = seen.get(key)
    const isSame = known?.heldAt === held.heldAt.getTime()
    if (isSame && trials > known.trials && now - known.triedAt < known.pauseMs) {
      const message = `lane ${key}, held for ${cause}, was tried again after ${now - known.triedAt} ms instead of ${known.pauseMs}`
      throw new Violation('trials', message)
    }
    const isTried = !isSame || trials > known.trials
    const pauseMs = isTried ? pauseAfter(cause, trials) : mayTrySooner(known, held) ? 0 : known.pauseMs
    const triedAt = isTried ? now : known.triedAt
    seen.set(key, {
      heldAt: held.heldAt.getTime(),
      cause,
      trials,
      trialAt: trialAt?.getTime() ?? null,
      triedAt,
      pauseMs,
    })
  }

  /** Whether the look-up of this request belongs to a chunk that was dispatched since, and that nobody has taken over. */
  const isDispatchedSince = ({ body, at }: Question, moment: number): boolean => {
    const { claims, lookups } = historyOf().model.tables
    // A purchase names its document, a request for an answer the number of the purchase.
    const names = new Set([body?.documentNumber, body?.document, ...Object.values(at ?? {})].map(String))
    const isAbout = (id: bigint): boolean => {
      const { question = '', remoteId = null } = lookups.get(id) ?? {}
      return names.has(question) || (remoteId !== null && names.has(remoteId))
    }
    for (const { claimedAt, ids } of claims.values()) {
      if (claimedAt.getTime() >= moment && ids.some(isAbout)) return true
    }
    return false
  }

  return {
    look(): void {
      const { model, schedule, database } = historyOf()
      if (model.tables.lanes.size === 0 || database.rewound || database.clockMs !== 0) return
      for (const [key, held] of model.tables.lanes) checkTrials(key, held, schedule.now)
    },
    sent(worker: Actor, question: Question): void {
      const lane = laneOf(question)
      if (!lane) return
      const { model, database } = historyOf()
      const held = model.tables.lanes.get(lane.key)
      if (!held || !holdStops(held.cause, lane.state) || database.rewound || database.clockMs !== 0) return
      const known = sends.get(lane.key)
      const isSame = known?.heldAt === held.heldAt.getTime()
      const counted = isSame ? known : { heldAt: held.heldAt.getTime(), count: 0, from: held.trials }
      sends.set(lane.key, counted)
      const settledAt = Math.max(counted.heldAt, worker.pausedUntil) + settlingMs
      if (!isDispatchedSince(question, settledAt)) {
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

/** A worker reads the time of the database a little before or after it is. */
const marginMs = 200

const pauseAfter = (cause: HoldCause, trials: number): number => {
  const { tried } = holdEnds[cause]
  if (typeof tried === 'string' || trials === 0) return 0
  return Math.min(tried.longestMs, tried.firstMs * 2 ** trials) - marginMs
}
