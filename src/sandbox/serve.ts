import type { IncomingMessage, ServerResponse } from 'node:http'
import { share } from './data/hash.ts'
import { deliver, isBeforeWork } from './deliver.ts'
import type { FaultRule } from './fault-rule.ts'
import type { Faults } from './faults.ts'
import type { Exchange, Ledger } from './ledger.ts'
import { operations } from './operations.ts'
import { readBody } from './read-body.ts'
import { emailRequired, unauthorized, unavailable, wrongParameters } from './refusals.ts'
import type { Registry, Reply } from './registry.ts'
import type { Route } from './route.ts'
import { close, sendJson } from './send.ts'
import { knownToken, useToken } from './tokens.ts'
import { works } from './works.ts'

export type Service = Registry & { readonly ledger: Ledger; readonly faults: Faults; readonly isOut: boolean }

/** Takes one request of the 12 operations from its arrival to its answer. */
export function serve(service: Service, req: IncomingMessage, res: ServerResponse, found: Route, query: string): void {
  const exchange = service.ledger.receive(found.operation, service.now())
  res.once('close', () => service.ledger.leave(exchange, service.now(), res.writableFinished))
  readBody(req, (body) => {
    if (service.isOut) {
      answerOutage(service, res, exchange)
      return
    }
    exchange.document = documentIn(found.params, body)
    const rule = service.faults.meet(found.operation, exchange.document)
    exchange.fault = rule?.fault ?? null
    const pause = latencyOf(service, exchange) / 2
    const visit = { exchange, found, query, body, authorization: req.headers.authorization }
    after(pause, () => {
      const reply = rule && isBeforeWork(rule) ? undone : work(service, visit, rule)
      after(pause, () => deliver(res, exchange, reply, rule))
    })
  })
}

type Visit = { exchange: Exchange; found: Route; query: string; body: unknown; authorization: string | undefined }

const undone: Reply = { status: 500, body: null }

/** The operation itself: token, body, then the work, which may still refuse. */
function work(service: Service, visit: Visit, rule: FaultRule | undefined): Reply {
  const { exchange, found, query } = visit
  const { operation, params } = found
  const admit = operation === 'refresh' ? knownToken : useToken
  const token = admit(service, visit.authorization)
  if (!token) return refused(exchange, unauthorized())
  const body = operations[operation].body?.safeParse(visit.body)
  if (body?.error) return refused(exchange, wrongBody(body.error.issues.map((issue) => issue.path.join('.'))))
  const stuck = rule?.fault === 'stuckForever'
  const reply = works[operation]({ exchange, params, query, body: body?.data, stuck, email: token.email }, service)
  service.ledger.worked(exchange, service.now())
  if (reply.status >= 400) refused(exchange, reply)
  return service.scenario.alwaysOk ? withoutCode(reply, operation) : reply
}

function refused(exchange: Exchange, reply: Reply): Reply {
  const { status, error } = reply.body as { status?: string; error?: string }
  exchange.refusal = status ?? error ?? null
  return reply
}

function wrongBody(fields: string[]): Reply {
  return fields.includes('email') ? emailRequired() : wrongParameters(fields.filter(Boolean).join(', ') || 'body')
}

/** Only the 404 of the two CNH look-ups is a code that the interface shows. (Interface 4.3) */
function withoutCode(reply: Reply, operation: string): Reply {
  const shown = reply.status === 404 && (operation === 'cnhRead' || operation === 'cnhLatest')
  return shown ? reply : { ...reply, status: 200 }
}

function answerOutage(service: Service, res: ServerResponse, exchange: Exchange): void {
  exchange.fault = 'outage'
  if (service.scenario.outage?.how === 'closed') close(res, exchange)
  else sendJson(res, exchange, unavailable())
}

function latencyOf({ scenario, seed }: Service, { operation, n }: Exchange): number {
  const latency = scenario.latency[operation] ?? scenario.latency.all ?? 0
  if (typeof latency === 'number') return latency
  return Math.max(0, latency.ms + (share(`latency ${n}`, seed) * 2 - 1) * latency.jitter)
}

const after = (ms: number, next: () => void): void => {
  if (ms > 0) setTimeout(next, ms)
  else next()
}

function documentIn(params: Record<string, string>, body: unknown): string | null {
  const fields = (body ?? {}) as Record<string, unknown>
  const value = params.document ?? fields.documentNumber ?? fields.document ?? fields.code
  return typeof value === 'string' ? value : null
}
