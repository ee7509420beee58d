import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultKind, FaultRule } from './fault-rule.ts'
import type { Exchange } from './ledger.ts'
import { type Reply, refusals } from './registry.ts'

/** Sends a reply, or what the fault makes of it. */
export const deliver = (res: ServerResponse, exchange: Exchange, reply: Reply, rule: FaultRule | undefined): void => {
  if (rule) deliveries[rule.fault]({ res, exchange, reply, rule })
  else sendJson(res, exchange, reply)
}

/** Whether the fault applies before any work is done. */
export const isBeforeWork = (rule: FaultRule): boolean =>
  rule.fault === 'reply' || rule.fault === 'html' || rule.fault === 'empty'
    ? !rule.worked
    : undoing.includes(rule.fault)

const undoing: FaultKind[] = ['rateLimited', 'serverError', 'closedBefore', 'hangBefore', 'typedError', 'unauthorized']

type Delivery = { res: ServerResponse; exchange: Exchange; reply: Reply; rule: FaultRule }

const hang = () => {}
const shut = ({ res, exchange }: Delivery) => close(res, exchange)
const send = ({ res, exchange }: Delivery, reply: Reply) => sendJson(res, exchange, reply)
const fail = (delivery: Delivery) => {
  const { rule } = delivery
  send(delivery, { ...refusals.serverFailure, status: rule.status ?? 500, headers: retryAfter(rule) })
}

const deliveries: Record<FaultKind, (delivery: Delivery) => void> = {
  closedBefore: shut,
  closedAfter: shut,
  hangBefore: hang,
  hang,
  serverError: fail,
  serverErrorAfter: fail,
  rateLimited: (it) => send(it, { ...refusals.tooManyRequests, headers: retryAfter(it.rule) }),
  unauthorized: (it) => send(it, refusals.unauthorized),
  typedError: (it) => send(it, refusals.typedError),
  stuckForever: (it) => send(it, it.reply),
  mixedUp: (it) => send(it, it.reply),
  drift: (it) => send(it, { ...it.reply, body: drifted(it.reply.body, it.rule) }),
  cut: ({ res, exchange, reply }) => cut(res, exchange, reply),
  drip: ({ res, exchange, reply, rule }) => drip(res, exchange, reply, rule.everyMs),
  html: ({ res, exchange, rule }) => sendText(res, exchange, rule.status ?? 502, errorPage, 'text/html; charset=utf-8'),
  empty: ({ res, exchange, rule }) => sendText(res, exchange, rule.status ?? 200, '', 'application/json'),
  oversized: ({ res, exchange, rule }) => sendText(res, exchange, 200, padding(rule.bytes), 'application/json'),
  reply: ({ res, exchange, rule }) =>
    sendText(res, exchange, rule.status ?? 200, rule.body, rule.contentType, retryAfter(rule)),
}

const retryAfter = (rule: FaultRule): Headers =>
  rule.retryAfter === undefined ? {} : { 'retry-after': String(rule.retryAfter) }

const padding = (bytes: number): string => JSON.stringify({ padding: 'x'.repeat(bytes) })

const errorPage =
  '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>'

/** The same reply after an unannounced change of the registry. */
const drifted = (body: unknown, { drift, fields, values }: FaultRule): unknown => {
  const changes: Record<FaultRule['drift'], Change> = {
    missing: (key, value) => (fields.includes(key) ? null : [key, value]),
    renamed: (key, value) => [fields.includes(key) ? snakeCase(key) : key, value],
    numbersAsStrings: (key, value) => [key, typeof value === 'number' ? String(value) : value],
    unknownStatus: (key, value) => [key, /^status/.test(key) ? 'REQUEUED_FOR_REVIEW' : value],
    hugeAmounts: (key, value) => [key, key === 'vltotalProcess' ? tooLarge : value],
    values: (key, value, path) => [key, path in values ? values[path] : value],
    extraClassification: (key, value) => [key, key === 'summary' ? withExtra(value) : value],
  }
  return rewrite(body, changes[drift])
}

/** More than a number of JavaScript holds, as a number of JSON. */
const tooLarge = (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON('1e400')

type Change = (key: string, value: unknown, path: string) => [string, unknown] | null

/** Rewrites every field at any depth; if a change returns nothing, the field is dropped. */
const rewrite = (value: unknown, change: Change, path = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, change, path))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    const at = path === '' ? key : `${path}.${key}`
    return change(key, rewrite(inner, change, at), at)
  })
  return Object.fromEntries(entries.filter((entry) => entry !== null))
}

const snakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const withExtra = (summary: unknown) => ({
  ...(summary as object),
  RISK_ENVIRONMENTAL: { vltotalProcess: '1.234,56', totalProcess: 1 },
})

/** Closes the connection without an answer. */
export const close = (res: ServerResponse, exchange: Exchange): void => {
  exchange.outcome = 'closed'
  res.destroy()
}

export const sendJson = (res: ServerResponse, exchange: Exchange | null, reply: Reply): void => {
  sendText(res, exchange, reply.status, JSON.stringify(reply.body), 'application/json', reply.headers)
}

type Headers = Record<string, string>

const sendText = (
  res: ServerResponse,
  exchange: Exchange | null,
  status: number,
  text: string,
  type: string,
  more?: Headers,
): void => {
  if (exchange) exchange.status = status
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...more })
  res.end(text)
}

/** Sends the head of a reply, and returns its body. */
const begin = (res: ServerResponse, exchange: Exchange, { status, body }: Reply): Buffer => {
  const bytes = Buffer.from(JSON.stringify(body))
  exchange.status = status
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
  return bytes
}

/** Half of the body, then the end of the connection. */
const cut = (res: ServerResponse, exchange: Exchange, reply: Reply): void => {
  const bytes = begin(res, exchange, reply)
  res.write(bytes.subarray(0, bytes.length / 2), () => close(res, exchange))
}

/** One byte at a time: each arrives soon enough, all of them together do not. */
const drip = (res: ServerResponse, exchange: Exchange, reply: Reply, everyMs: number): void => {
  const bytes = begin(res, exchange, reply)
  let sent = 0
  const timer = setInterval(() => {
    if (sent < bytes.length) res.write(bytes.subarray(sent, ++sent))
    else res.end()
  }, everyMs)
  res.once('close', () => clearInterval(timer))
}

/** Reads a JSON body to its end. A body that is not JSON is read as nothing, and fails the validation later. */
export const readBody = (req: IncomingMessage, next: (body: unknown) => void): void => {
  if (req.method === 'GET' || req.method === 'PUT') {
    req.resume()
    next(undefined)
    return
  }
  const parts: Buffer[] = []
  req.on('data', (part: Buffer) => parts.push(part))
  req.on('end', () => next(parse((parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString())))
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
