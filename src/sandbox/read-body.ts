import type { IncomingMessage } from 'node:http'

/** Reads a JSON body to its end; what is no JSON reads as nothing, and fails the check of the body later. */
export function readBody(req: IncomingMessage, next: (body: unknown) => void): void {
  if (req.method === 'GET' || req.method === 'PUT') {
    req.resume()
    next(undefined)
    return
  }
  const parts: Buffer[] = []
  req.on('data', (part: Buffer) => parts.push(part))
  req.on('end', () => next(parse((parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString())))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
