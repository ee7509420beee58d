import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Received = { headers: IncomingHttpHeaders; body: string }

/** A receiver of webhooks; it answers with the given codes, then 200. */
export const startReceiver = async (codes: number[] = []) => {
  const received: Received[] = []
  const server = createServer(async (req, res) => {
    received.push({ headers: req.headers, body: await text(req) })
    res.writeHead(codes.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return {
    url,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
