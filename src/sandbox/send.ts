import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Exchange } from './ledger.ts'
import type { Reply } from './registry.ts'

/** Closes the connection without an answer. */
export const close = (res: ServerResponse, exchange: Exchange): void => {
  exchange.outcome = 'closed'
  res.destroy()
}

export const sendJson = (res: ServerResponse, exchange: Exchange | null, reply: Reply): void => {
  sendText(res, exchange, reply.status, JSON.stringify(reply.body), 'application/json', reply.headers)
}

export type Headers = Record<string, string>

export const sendText = (
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

/** Half of the body, then the end of the connection. */
export const cut = (res: ServerResponse, exchange: Exchange, reply: Reply): void => {
  const text = JSON.stringify(reply.body)
  exchange.status = reply.status
  res.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  res.write(text.slice(0, text.length / 2), () => close(res, exchange))
}

/** One byte at a time: each arrives soon enough, all of them together do not. */
export const drip = (res: ServerResponse, exchange: Exchange, reply: Reply, everyMs: number): void => {
  const bytes = Buffer.from(JSON.stringify(reply.body))
  let sent = 0
  exchange.status = reply.status
  res.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': bytes.length })
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
