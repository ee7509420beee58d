import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { languages } from '../../messages/languages.ts'
import { batchOperations } from '../../operations/batches.ts'
import { fileOperations } from '../../operations/files.ts'
import { installationOperations } from '../../operations/installation.ts'
import { laneOperations } from '../../operations/lanes.ts'
import { addressFields, type Operation, perform } from '../../operations/operation.ts'
import { operatorOperations } from '../../operations/operators.ts'
import { lookupOperations, personOperations } from '../../operations/person.ts'
import { portfolioOperations } from '../../operations/portfolios.ts'
import { changeOperations, radarOperations } from '../../operations/radars.ts'
import { parkedOperations, rowOperations } from '../../operations/rows.ts'
import { ruleOperations } from '../../operations/rules.ts'
import { sweepOperations } from '../../operations/sweeps.ts'
import { usageOperations } from '../../operations/usage.ts'
import { plainJson } from '../../views/fields.ts'
import { checkForm } from '../access/guard.ts'
import { contextOf, type SiteFor } from '../site/site.ts'
import { downloadTypes, receiveFile } from '../visit.ts'
import { fileNames } from './downloads.ts'

/** An operation with the parts of its route as data: it is served and described from the same lines. */
type ApiRoute = Operation & {
  method: 'GET' | 'POST'
  /** As OpenAPI writes it: `/batches/{batch}`. */
  path: string
  query?: z.ZodObject
  body?: z.ZodObject
  /** The fields of a form that ends with a file. */
  upload?: z.ZodObject
}

/** The fields that the address of an operation does not name are the query, the body or the form. */
const routeOf = (operation: Operation): ApiRoute => {
  const [method, address] = operation.route.split(' ') as ['GET' | 'POST', string]
  const [path, inQuery] = address.split('?') as [string, string?]
  const others: z.ZodObject = operation.input.omit(naming(addressFields(operation)))
  const route = { ...operation, method, path }
  if ('file' in operation.input.shape) {
    if (!inQuery) return { ...route, upload: others.omit(naming(['file'])) }
    return { ...route, upload: others.omit(naming(['file', inQuery])), query: others.pick(naming([inQuery])) }
  }
  return Object.keys(others.shape).length === 0 ? route : { ...route, [method === 'GET' ? 'query' : 'body']: others }
}

const naming = (names: string[]): Record<string, true> => Object.fromEntries(names.map((name) => [name, true]))

/** Every route of the API, in the order of their description. */
export const apiRoutes: readonly ApiRoute[] = [
  batchOperations,
  fileOperations,
  rowOperations,
  lookupOperations,
  parkedOperations,
  radarOperations,
  changeOperations,
  ruleOperations,
  portfolioOperations,
  personOperations,
  sweepOperations,
  usageOperations,
  laneOperations,
  installationOperations,
  operatorOperations,
].flatMap((subject) => (Object.values(subject) as Operation[]).map(routeOf))

type Json = Record<string, unknown>

const failure = z.object({ error: z.string(), message: z.string() })

/** Describes the API in OpenAPI 3.1, from the routes themselves. */
export const describeApi = (routes: readonly ApiRoute[]): Json => {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = `/api${route.path}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) }
  }
  paths['/api/batches/{batch}/files/{what}'] = { get: downloads }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vigia',
      version: '1',
      description:
        'The output of `vigia COMMAND --json`, over HTTP. Send an operator’s token as a bearer, or the page’s session cookie and its CSRF token.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: schemaOf(failure) },
    },
  }
}

const describeRoute = (route: ApiRoute): Json => ({
  operationId: route.name,
  summary: route.summary,
  description: `Needs the role ${route.role}.`,
  parameters: [...pathParameters(route), ...queryParameters(route)],
  ...bodyOf(route),
  responses: { 200: { description: route.summary, content: jsonContent(schemaOf(route.output)) }, default: refused },
})

const refused = {
  description: 'Refused; the message says why',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
}

const bodyOf = ({ body, upload }: ApiRoute): Json => {
  if (upload) {
    const { properties, required = [] } = schemaOf(upload, 'input') as { properties: Json; required?: string[] }
    const schema = {
      type: 'object',
      required: [...required, 'file'],
      properties: { ...properties, file: { type: 'string', format: 'binary' } },
    }
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
  }
  if (!body) return {}
  return { requestBody: { required: !body.safeParse({}).success, content: jsonContent(schemaOf(body, 'input')) } }
}

const pathParameters = (route: ApiRoute): Json[] =>
  addressFields(route).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

const queryParameters = ({ query }: ApiRoute): Json[] => {
  if (!query) return []
  const { properties = {}, required = [] } = schemaOf(query, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } })

/** Numbers in an address arrive as text; they are described as the numbers they become. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output' = 'output'): Json => {
  const { $schema, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return described
}

const fileTypes = Object.values(downloadTypes).map((type) => type.split(';')[0]!)

const downloads: Json = {
  operationId: 'downloadFile',
  summary: 'The report as a workbook or as CSV, the rejects or the manifest, as of now',
  description: 'Needs the role analyst. Every download is in the audit log.',
  parameters: [
    { name: 'batch', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'what', in: 'path', required: true, schema: { enum: fileNames } },
    { name: 'language', in: 'query', required: false, schema: { enum: Object.keys(languages) } },
  ],
  responses: {
    200: { description: 'The file', content: Object.fromEntries(fileTypes.map((type) => [type, {}])) },
    default: refused,
  },
}

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
}

const serve = async (
  siteFor: SiteFor,
  route: ApiRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { method, upload } = route
  const { visitor, query, body, params } = request
  const run = (given: object) =>
    perform(route, contextOf(siteFor(request), visitor!), { ...given, ...(params as object) })
  if (method === 'POST' && !upload) checkForm(request, request.headers['x-csrf-token'])
  const answer = upload
    ? await receiveFile(request, (fields) => run({ ...(query as object), ...fields }))
    : await run(((method === 'GET' ? query : body) as object | undefined) ?? {})
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer, plainJson))
}
