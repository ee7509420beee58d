import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export type ConnectionLimits = {
  /** How long the headers of a request may take to arrive. */
  headersMs: number
  /** How long its body may take to arrive, unless it is a file from somebody who may submit one. */
  bodyMs: number
  /** How long an upload may make no progress. */
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
    /** The route takes a file, whose upload has no total time limit. */
    upload?: boolean
  }
}

/**
 * Ends requests that take too long; otherwise each could keep its connection open without limit. Must be added before
 * the guard, so that the limits also hold for requests that the guard refuses.
 */
export const limitConnections = (app: FastifyInstance, limits: ConnectionLimits): void => {
  app.server.maxConnections = limits.connections
  const uploads = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', async (request, reply) => {
    const end = () => uploads.has(request) || endUnfinished(request, reply)
    const timer = setTimeout(end, limits.bodyMs).unref()
    request.raw.once('close', () => clearTimeout(timer))
  })
  // After the guard: whoever gets this far may submit a file.
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
