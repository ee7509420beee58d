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

/** The operation itself: token, body, then the work, which may still refuse. */
export const performOperation = (desk: SandboxState, visit: Arrival, stuck: boolean): Reply => {
  const { exchange, found, query } = visit
  const { operation, params } = found
  const admit = operation === 'refresh' ? knownToken : useToken
  const token = admit(desk, visit.authorization)
  if (!token) return refused(exchange, unauthorized())
  const body = operations[operation].body?.safeParse(visit.body)
  if (body?.error) return refused(exchange, wrongBody(body.error.issues.map((issue) => issue.path.join('.'))))
  const reply = works[operation]({ exchange, params, query, body: body?.data, stuck, email: token.email }, desk)
  if (reply.status >= 400) refused(exchange, reply)
  else desk.ledger.worked(exchange, desk.now())
  const { alwaysOk, world } = desk.scenario
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

/** Only the 404 of the two CNH look-ups is a code that the interface shows. (Interface 4.3) */
const withCode = (reply: Reply, operation: string, status: number): Reply => {
  const shown = reply.status === 404 && (operation === 'cnhRead' || operation === 'cnhLatest')
  return shown ? reply : { ...reply, status }
}

/** What each operation does. */
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
