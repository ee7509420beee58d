import type { Exchange } from './ledger.ts'
import { activities } from './operations/activities.ts'
import { consult, generate } from './operations/analyses.ts'
import { cnhCreate, cnhLatest, cnhRead } from './operations/cnh.ts'
import { inactivate, processCount, radarAdd, radarList } from './operations/monitoring.ts'
import { refresh } from './operations/refresh.ts'
import { scr } from './operations/scr.ts'
import { type OperationName, operations } from './operations.ts'
import { emailRequired, unauthorized, wrongParameters } from './refusals.ts'
import type { Reply, Work } from './registry.ts'
import type { Route } from './route.ts'
import type { SandboxState } from './state.ts'
import { knownToken, useToken } from './tokens.ts'

export type Arrival = {
  exchange: Exchange
  found: Route
  query: string
  body: unknown
  authorization: string | undefined
}

/** Performs an operation: validates the token and the body, then does the work, which may still refuse. */
export const performOperation = (state: SandboxState, arrival: Arrival, stuck: boolean): Reply => {
  const { exchange, found, query } = arrival
  const { operation, params } = found
  const admit = operation === 'refresh' ? knownToken : useToken
  const token = admit(state, arrival.authorization)
  if (!token) return refused(exchange, unauthorized())
  const body = operations[operation].body?.safeParse(arrival.body)
  if (body?.error) return refused(exchange, wrongBody(body.error.issues.map((issue) => issue.path.join('.'))))
  const reply = works[operation]({ exchange, params, query, body: body?.data, stuck, email: token.email }, state)
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
  fields.includes('email') ? emailRequired() : wrongParameters(fields.filter(Boolean).join(', ') || 'body')

/** The 404 of the two CNH look-ups is the only code that the interface shows, so it stays. (Interface 4.3) */
const withCode = (reply: Reply, operation: string, status: number): Reply => {
  const shown = reply.status === 404 && (operation === 'cnhRead' || operation === 'cnhLatest')
  return shown ? reply : { ...reply, status }
}

const works: Record<OperationName, Work> = {
  cnhCreate,
  cnhRead,
  cnhLatest,
  generate,
  consult,
  activities,
  processCount,
  radarAdd,
  radarList,
  inactivate,
  scr,
  refresh,
}
