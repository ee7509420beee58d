import type { IncomingMessage } from 'node:http'

/** Reads a JSON body to its end; what is no JSON reads as nothing, and fails the check of the body later. */
export function readBody(req: IncomingMessage, next: (body: unknown) => void): void {
  if (req.method === 'GET' || req.method === 'PUT') {
    req.resume()
    next(undefined)
    return
  }
  let text = ''
  req.setEncoding('utf8')
  req.on('data', (part: string) => {
    text += part
  })
  req.on('end', () => next(parse(text)))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
