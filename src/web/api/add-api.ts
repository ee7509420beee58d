import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { perform } from '../../operations/operation.ts'
import { plainJson } from '../../views/fields.ts'
import { checkForm } from '../access/guard.ts'
import { contextOf, type SiteFor } from '../site/site.ts'
import { receiveFile } from '../visit.ts'
import { type ApiRoute, apiRoutes, describeApi } from './api-routes.ts'
import { addDownloads } from './downloads.ts'

/** Serves every operation under /api, and their description. */
export const addApi = (app: FastifyInstance, siteFor: SiteFor): void => {
  const description = describeApi(apiRoutes)
  app.get('/api/openapi.json', { config: { role: 'everyone' } }, async () => description)
  for (const route of apiRoutes) {
    const url = `/api${route.path.replace(/\{(\w+)\}/g, ':$1')}`
    app.route({
      method: route.method,
      url,
      config: { role: route.role, upload: route.upload !== undefined },
      handler: (request, reply) => serve(siteFor, route, request, reply),
    })
  }
  addDownloads(app, siteFor, '/api')
}

const serve = async (
  siteFor: SiteFor,
  { method, operation, upload }: ApiRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { visitor, query, body, params } = request
  const run = (given: object) =>
    perform(operation, contextOf(siteFor(request), visitor!), { ...given, ...(params as object) })
  if (method === 'POST' && !upload) checkForm(request, request.headers['x-csrf-token'])
  const answer = upload
    ? await receiveFile(request, (fields) => run({ ...(query as object), ...fields }))
    : await run(((method === 'GET' ? query : body) as object | undefined) ?? {})
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer, plainJson))
}
