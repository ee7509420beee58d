import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import { share } from './data/hash.ts'
import { close, deliver, isBeforeWork, readBody, sendJson } from './deliver.ts'
import type { Exchange } from './ledger.ts'
import { activities } from './operations/activities.ts'
import { consult, generate } from './operations/analyses.ts'
import { cnhCreate, cnhLatest, cnhRead } from './operations/cnh.ts'
import { inactivate, processCount, radarAdd, radarList } from './operations/monitoring.ts'
import { scr } from './operations/scr.ts'
import { type OperationName, operationNames, operations } from './operations.ts'
import { type Order, type Reply, refusals, type Work, wrongParameters } from './registry.ts'
import type { SandboxState } from './state.ts'
import { credentials, forAccount, issueToken, knownToken, useToken } from './tokens.ts'
import type { refreshBody } from './wire.ts'

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
    const arrival = { exchange, params: found.params, query, body, authorization: req.headers.authorization }
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
  else sendJson(res, exchange, refusals.unavailable)
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

type Arrival = Omit<Order, 'stuck' | 'email'> & { authorization: string | undefined }

/** Performs an operation: validates the token and the body, then does the work, which may still refuse. */
const performOperation = (state: SandboxState, arrival: Arrival, stuck: boolean): Reply => {
  const { exchange, authorization } = arrival
  const { operation } = exchange
  const token = operation === 'refresh' ? knownToken(state, authorization) : useToken(state, authorization)
  if (!token) return refused(exchange, refusals.unauthorized)
  const body = operations[operation].body?.safeParse(arrival.body)
  if (body?.error) return refused(exchange, wrongBody(body.error.issues.map((issue) => issue.path.join('.'))))
  const reply = works[operation]({ ...arrival, body: body?.data, stuck, email: token.email }, state)
  if (reply.status >= 400) refused(exchange, reply)
  else state.ledger.worked(exchange, state.now())
  const { alwaysOk, world } = state.scenario
  if (alwaysOk) return withCode(reply, operation, 200)
  return reply.status >= 400 && world.errorStatus ? withCode(reply, operation, world.errorStatus) : reply
}

const refused = (exchange: Exchange, reply: Reply): Reply => {
  const { status, error } = reply.body as { status?: string; error?: string }
  exchange.refusal = status ?? error ?? null
  return reply
}

const wrongBody = (fields: string[]): Reply =>
  fields.includes('email') ? refusals.emailRequired : wrongParameters(fields.filter(Boolean).join(', ') || 'body')

/** A new token; the old one stays valid until it expires by itself. (Interface 4.12) */
const refresh: Work = (call, registry) => {
  const { email, username, refreshToken } = call.body as z.output<typeof refreshBody>
  if (email === '') return refusals.emailRequired
  const known =
    email === credentials.email && username === credentials.username && refreshToken === credentials.refreshToken
  if (!known || registry.scenario.token.refuseRefresh) return refusals.refreshRefused
  return { status: 200, body: { email, username, token: issueToken(registry).token } }
}

/** The 404 of the two CNH look-ups is the only code that the interface shows, so it stays. (Interface 4.3) */
const withCode = (reply: Reply, operation: string, status: number): Reply => {
  const shown = reply.status === 404 && (operation === 'cnhRead' || operation === 'cnhLatest')
  return shown ? reply : { ...reply, status }
}

const works: Record<OperationName, Work> = {
  cnhCreate: forAccount(cnhCreate),
  cnhRead: forAccount(cnhRead),
  cnhLatest: forAccount(cnhLatest),
  generate: forAccount(generate),
  consult: forAccount(consult),
  activities: forAccount(activities),
  processCount: forAccount(processCount),
  radarAdd: forAccount(radarAdd),
  radarList: forAccount(radarList),
  inactivate,
  scr,
  refresh,
}

type Route = { operation: OperationName; params: Record<string, string> }

/** Finds the operation of a request, if there is one. An empty path value is kept: the interface has an error for it. */
export const route = (method: string, pathname: string): Route | undefined => {
  for (const { operation, pattern } of patterns) {
    const found = pattern.exec(`${method} ${pathname}`)
    if (!found) continue
    const params = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decode(text)])
    return { operation, params: Object.fromEntries(params) }
  }
  return undefined
}

const patterns = operationNames.map((operation) => {
  const path = operations[operation].route.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]*)')
  return { operation, pattern: new RegExp(`^${path}$`) }
})

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
