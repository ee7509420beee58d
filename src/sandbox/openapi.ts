import { z } from 'zod'
import { type OperationName, operationNames, operations, type ServedOperation } from './operations.ts'

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
