import { z } from 'zod'
import { languages } from '../../messages/languages.ts'
import type { ApiRoute } from './api-routes.ts'
import { fileNames, fileTypes } from './downloads.ts'

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
  parameters: [...pathParameters(route.path), ...queryParameters(route)],
  ...bodyOf(route),
  responses: { 200: { description: route.summary, content: jsonContent(schemaOf(route.reply)) }, default: refused },
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

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

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
