import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export type ConnectionLimits = {
  /** How long a request may take to say what it wants. */
  headersMs: number
  /** How long its body may take to arrive, unless it is a file of somebody who may hand one in. */
  bodyMs: number
  /** How long such a file may stand still. */
  uploadIdleMs: number
  connections: number
}

export const usualLimits: ConnectionLimits = {
  headersMs: 15_000,
  bodyMs: 30_000,
  uploadIdleMs: 120_000,
  connections: 1_000,
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes a file, which may take as long as it needs. */
    upload?: boolean
  }
}

/**
 * Ends requests that do not end by themselves: without this each keeps its connection for as long as it likes. Must be
 * added before the guard, so that who is refused has no longer time either.
 */
export const limitConnections = (app: FastifyInstance, limits: ConnectionLimits): void => {
  app.server.maxConnections = limits.connections
  const uploads = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', async (request, reply) => {
    const end = () => uploads.has(request) || endUnfinished(request, reply)
    const timer = setTimeout(end, limits.bodyMs).unref()
    request.raw.once('close', () => clearTimeout(timer))
  })
  // After the guard: whoever comes so far may hand in a file.
  app.addHook('preParsing', async (request, reply) => {
    if (!request.routeOptions.config.upload) return
    uploads.add(request)
    const { raw } = request
    raw.setTimeout(limits.uploadIdleMs, () => endUnfinished(request, reply))
    raw.once('end', () => raw.setTimeout(0))
  })
}

const endUnfinished = ({ raw }: FastifyRequest, reply: FastifyReply): void => {
  if (raw.complete) return
  if (!reply.raw.headersSent) raw.socket.write('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n')
  raw.socket.destroySoon()
}
