import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createFrameReader } from './query-frames.ts'

/** The fate of a query: it passes, never arrives, or arrives and its answer is lost. */
export type Fate = 'pass' | 'cutBefore' | 'cutAfter'

export type CutProxy = AsyncDisposable & {
  /** The same address through the proxy. */
  through(databaseUrl: string): Promise<string>
  cuts: number
}

/** A proxy between workers and PostgreSQL that reads every query and cuts the connection on request. */
export const startCutProxy = async (judge: (query: string) => Fate): Promise<CutProxy> => {
  let target = { host: '127.0.0.1', port: 0 }
  const sockets = new Set<Socket>()
  const proxy = { cuts: 0 }
  const server = createServer((client) => {
    const upstream = connect(target)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    const queriesIn = createFrameReader()
    client.on('data', (bytes) => {
      const fates = queriesIn(bytes).map(judge)
      const fate = fates.find((each) => each !== 'pass') ?? 'pass'
      if (fate !== 'pass') proxy.cuts++
      if (fate === 'cutBefore') return cut()
      if (fate === 'cutAfter') upstream.removeAllListeners('data').resume()
      upstream.write(bytes, () => fate === 'cutAfter' && setTimeout(cut, 20))
    })
    upstream.on('data', (bytes) => client.write(bytes))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(proxy, {
    async through(databaseUrl: string) {
      const url = new URL(databaseUrl)
      target = { host: url.hostname, port: Number(url.port) }
      url.port = String(port)
      return url.href
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  })
}
