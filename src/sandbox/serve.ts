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

/** Serves one request of the 12 operations, from its arrival to its answer. It counts once all of it has arrived. */
export const serve = (
  state: SandboxState,
  req: IncomingMessage,
  res: ServerResponse,
  found: Route,
  query: string,
): void => {
  readBody(req, (body) => {
    const exchange = state.ledger.receive(found.operation, state.now())
    exchange.document = documentIn(found.params, body)
    const arrival = { exchange, found, query, body, authorization: req.headers.authorization }
    if (state.faultState.isOut) answerOutage(state, res, exchange)
    else if (state.faultState.isCalm) answerAtOnce(state, res, arrival)
    else answerInTime(state, res, arrival)
  })
}

/** Without latency and faults nothing can interrupt the exchange: it ends at once, and no listener is needed. */
const answerAtOnce = (state: SandboxState, res: ServerResponse, arrival: Arrival): void => {
  sendJson(res, arrival.exchange, performOperation(state, arrival, false))
  state.ledger.leave(arrival.exchange, state.now(), true)
}

/** Half of the latency passes before the work and half after it, so that a caller may disconnect before or after it. */
const answerInTime = (state: SandboxState, res: ServerResponse, arrival: Arrival): void => {
  const { exchange } = arrival
  const rule = state.faultState.faults.meet(exchange.operation, exchange.document)
  exchange.fault = rule?.fault ?? null
  res.once('close', () => state.ledger.leave(exchange, state.now(), res.writableFinished))
  const pause = latencyOf(state, exchange) / 2
  after(pause, () => {
    const reply = rule && isBeforeWork(rule) ? undone : performOperation(state, arrival, rule?.fault === 'stuckForever')
    const sent = rule?.fault === 'mixedUp' ? state.faultState.faults.mixUp(exchange.operation, reply) : reply
    after(pause, () => deliver(res, exchange, sent, rule))
  })
}

const undone: Reply = { status: 500, body: null }

const answerOutage = (state: SandboxState, res: ServerResponse, exchange: Exchange): void => {
  exchange.fault = 'outage'
  if (state.scenario.outage?.how === 'closed') close(res, exchange)
  else sendJson(res, exchange, unavailable())
  state.ledger.leave(exchange, state.now(), true)
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
