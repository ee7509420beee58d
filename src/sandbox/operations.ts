import { z } from 'zod'
import * as wire from './wire.ts'

type ServedOperation = {
  section: string
  /** Its method and its path. */
  route: `${'GET' | 'POST' | 'PUT'} /${string}`
  summary: string
  body?: z.ZodObject
  reply: z.ZodType
  errors: z.ZodType
}

type Shapes = Pick<ServedOperation, 'body' | 'reply'> & { errors?: z.ZodType }

const served = (
  section: string,
  route: ServedOperation['route'],
  summary: string,
  { errors = wire.errorBody, ...shapes }: Shapes,
): ServedOperation => ({ section, route, summary, errors, ...shapes })

const { cnhBody, cnhRecord, errorBody, radarBody, statusBody } = wire
const withStatus = z.union([errorBody, statusBody])
const cnhPath = '/v1/cnh/organizations/{organizationId}'
const holderPath = '/v1/holder/{holderId}/organization/{organizationId}'

const table = {
  cnhCreate: served('4.1', 'POST /v1/cnh', 'Create CNH request', {
    body: cnhBody,
    reply: cnhRecord,
    errors: withStatus,
  }),
  cnhRead: served('4.2', `GET ${cnhPath}/request/{requestId}`, 'CNH by request identifier', { reply: cnhRecord }),
  cnhLatest: served('4.3', `GET ${cnhPath}/document/{document}`, 'Latest CNH by CPF', { reply: cnhRecord }),
  generate: served('4.4', 'POST /v2/analytics', 'Generate analysis', {
    body: wire.generateBody,
    reply: wire.generated,
    errors: withStatus,
  }),
  consult: served('4.5', 'POST /v2/analytics/{userPlanConsumeAnalyticsId}', 'Consult analysis', {
    body: wire.consultBody,
    reply: wire.consulted,
  }),
  activities: served('4.6', `GET ${holderPath}/activities`, 'List analyses', { reply: wire.activitiesReply }),
  processCount: served('4.7', `POST ${holderPath}/partner/process`, 'Count processes of a document', {
    body: wire.processCountBody,
    reply: wire.processCountReply,
    errors: withStatus,
  }),
  radarAdd: served('4.8', 'POST /v1/organization/{organizationId}/radar', 'Add radar', {
    body: radarBody,
    reply: radarBody,
    errors: withStatus,
  }),
  radarList: served('4.9', 'GET /v2/organizations/{organizationId}/radars', 'List radars', { reply: wire.radarLinks }),
  inactivate: served(
    '4.10',
    'PUT /v1/organization/{organizationId}/process/{numberProcess}/INACTIVE',
    'Inactivate process',
    { reply: wire.inactivated },
  ),
  scr: served('4.11', 'GET /v1/scr/indicators/{document}', 'SCR indicators', {
    reply: z.union([statusBody, wire.indicators]),
    errors: z.union([statusBody, wire.typedErrorBody, errorBody]),
  }),
  refresh: served('4.12', 'POST /v1/refreshtoken', 'Refresh token', { body: wire.refreshBody, reply: wire.refreshed }),
}

export type OperationName = keyof typeof table

/** All operations, in the interface's order: routes, validation and `/openapi.json` use this table. (Interface 4) */
export const operations: Record<OperationName, ServedOperation> = table

export const operationNames = Object.keys(table) as OperationName[]

/** The OpenAPI 3.1 description of the 12 operations, from the same schemas that validate their requests. */
export const describeService = () => {
  const { schemas, of } = collectSchemas()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const name of operationNames) {
    const [method, path] = operations[name].route.split(' ') as [string, string]
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(name, operations[name], of) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Document and Registry Query Service',
      version: '1.0.0',
      description:
        'Queries about people and companies by CPF or CNPJ: analyses, monitoring, driver licences, credit register.',
    },
    servers: [{ url: '/', description: 'the address that serves this description' }],
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, schemas },
  }
}

type Part = 'body' | 'reply' | 'errors'
type SchemaOf = (name: OperationName, part: Part) => unknown

const describeOperation = (operationId: OperationName, operation: ServedOperation, of: SchemaOf) => {
  const json = (part: Part) => ({ 'application/json': { schema: of(operationId, part) } })
  return {
    operationId,
    summary: operation.summary,
    description: `Interface ${operation.section}`,
    parameters: pathParameters(operation.route),
    ...(operation.body && { requestBody: { required: true, content: json('body') } }),
    responses: {
      '2XX': { description: operation.summary, content: json('reply') },
      default: { description: 'Refused; the body says why, and the HTTP status is not fixed', content: json('errors') },
    },
  }
}

const pathParameters = (route: string) =>
  [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: parameterType(name as string),
  }))

const parameterType = (name: string) =>
  name === 'organizationId' || name === 'holderId' ? { type: 'integer', format: 'int64' } : { type: 'string' }

/** Converts all schemas at once, so that those with a name become shared components. */
const collectSchemas = (): { schemas: unknown; of: SchemaOf } => {
  const parts = operationNames.flatMap((name) =>
    (['body', 'reply', 'errors'] as const).map(
      (part) => [`${name} ${part}`, operations[name][part] ?? z.never()] as const,
    ),
  )
  const converted = z.toJSONSchema(z.object(Object.fromEntries(parts)), {
    io: 'input',
    override: dropSafeIntegerBounds,
  })
  const text = JSON.stringify(converted).replaceAll('#/$defs/', '#/components/schemas/')
  const { properties, $defs } = JSON.parse(text) as { properties: Record<string, unknown>; $defs: unknown }
  return { schemas: $defs, of: (name, part) => properties[`${name} ${part}`] }
}

/** zod limits every integer to what JavaScript can hold; the interface does not. */
const dropSafeIntegerBounds = ({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
