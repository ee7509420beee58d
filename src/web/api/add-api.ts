import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Operation, perform } from '../../operations/operation.ts'
import { Refusal } from '../../operations/refusal.ts'
import { plainJson } from '../../views/plain-json.ts'
import { checkForm } from '../access/guard.ts'
import { addDownloads } from '../actions/downloads.ts'
import { contextOf, type Site, type SiteFor } from '../site/site.ts'
import type { ApiRoute } from './api-route.ts'
import { apiRoutes } from './api-routes.ts'
import { describeApi } from './openapi.ts'

/** Serves every route of the table under /api, and their description. */
export const addApi = (app: FastifyInstance, siteFor: SiteFor): void => {
  const description = describeApi(apiRoutes)
  app.get('/api/openapi.json', { config: { role: 'everyone' } }, async () => description)
  for (const route of apiRoutes) {
    const url = `/api${route.path.replace(/\{(\w+)\}/g, ':$1')}`
    app.route({
      method: route.method,
      url,
      config: { role: route.role, upload: route.upload !== undefined },
      handler: (request, reply) => serve(siteFor(request), route, request, reply),
    })
  }
  addDownloads(app, siteFor, '/api')
}

const serve = async (
  site: Site,
  route: ApiRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  if (route.method === 'POST' && !route.upload) checkForm(request, request.headers['x-csrf-token'])
  const answer = await (route.operation
    ? performed(site, route.operation, request)
    : answered(site, route, request, reply))
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer, plainJson))
}

const performed = (site: Site, operation: Operation, { visitor, query, body, params }: FastifyRequest) => {
  const given = { ...(operation.route.startsWith('GET') ? (query as object) : (body ?? {})), ...(params as object) }
  return perform(operation, contextOf(site, visitor!), given)
}

const answered = (site: Site, route: ApiRoute, request: FastifyRequest, reply: FastifyReply) =>
  route.answer?.({
    site,
    by: request.visitor?.name ?? '',
    params: request.params as Record<string, string>,
    query: route.query ? checked(route.query, request.query, 'query') : undefined,
    body: route.body ? checked(route.body, request.body ?? {}, 'body') : undefined,
    request,
    reply,
  })

const checked = (schema: NonNullable<ApiRoute['query']>, value: unknown, what: string): unknown => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const wrong = result.error.issues.map(({ path, message }) => `${[what, ...path].join('.')}: ${message}`)
  throw new Refusal(422, 'wrong_request', ['text', wrong.join('; ')])
}
