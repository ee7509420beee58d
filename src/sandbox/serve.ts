import type { IncomingMessage, ServerResponse } from 'node:http'
import { share } from './data/hash.ts'
import { deliver, isBeforeWork } from './deliver.ts'
import type { Exchange } from './ledger.ts'
import { unavailable } from './refusals.ts'
import type { Reply } from './registry.ts'
import type { Route } from './route.ts'
import { close, readBody, sendJson } from './send.ts'
import type { SandboxState } from './state.ts'
import { type Arrival, performOperation } from './work.ts'

/** Takes one request of the 12 operations from its arrival to its answer. It counts once it has arrived whole. */
export const serve = (
  desk: SandboxState,
  req: IncomingMessage,
  res: ServerResponse,
  found: Route,
  query: string,
): void => {
  readBody(req, (body) => {
    const exchange = desk.ledger.receive(found.operation, desk.now())
    exchange.document = documentIn(found.params, body)
    const visit = { exchange, found, query, body, authorization: req.headers.authorization }
    if (desk.faultState.isOut) answerOutage(desk, res, exchange)
    else if (desk.faultState.isCalm) answerAtOnce(desk, res, visit)
    else answerInTime(desk, res, visit)
  })
}

/** Without latency and faults nothing can come between: the exchange is over in one go, and no listener is needed. */
const answerAtOnce = (desk: SandboxState, res: ServerResponse, visit: Arrival): void => {
  sendJson(res, visit.exchange, performOperation(desk, visit, false))
  desk.ledger.leave(visit.exchange, desk.now(), true)
}

/** Half of the latency passes before the work and half after it, so that a caller may be gone on either side. */
const answerInTime = (desk: SandboxState, res: ServerResponse, visit: Arrival): void => {
  const { exchange } = visit
  const rule = desk.faultState.faults.meet(exchange.operation, exchange.document)
  exchange.fault = rule?.fault ?? null
  res.once('close', () => desk.ledger.leave(exchange, desk.now(), res.writableFinished))
  const pause = latencyOf(desk, exchange) / 2
  after(pause, () => {
    const reply = rule && isBeforeWork(rule) ? undone : performOperation(desk, visit, rule?.fault === 'stuckForever')
    const sent = rule?.fault === 'mixedUp' ? desk.faultState.faults.mixUp(exchange.operation, reply) : reply
    after(pause, () => deliver(res, exchange, sent, rule))
  })
}

const undone: Reply = { status: 500, body: null }

const answerOutage = (desk: SandboxState, res: ServerResponse, exchange: Exchange): void => {
  exchange.fault = 'outage'
  if (desk.scenario.outage?.how === 'closed') close(res, exchange)
  else sendJson(res, exchange, unavailable())
  desk.ledger.leave(exchange, desk.now(), true)
}

const latencyOf = ({ scenario, seed }: SandboxState, { operation, n }: Exchange): number => {
  const latency = scenario.latency[operation] ?? scenario.latency.all ?? 0
  if (typeof latency === 'number') return latency
  return Math.max(0, latency.ms + (share(`latency ${n}`, seed) * 2 - 1) * latency.jitter)
}

const after = (ms: number, next: () => void): void => {
  if (ms > 0) setTimeout(next, ms)
  else next()
}

const documentIn = (params: Record<string, string>, body: unknown): string | null => {
  const fields = (body ?? {}) as Record<string, unknown>
  const value = params.document ?? fields.documentNumber ?? fields.document ?? fields.code
  return typeof value === 'string' ? value : null
}
