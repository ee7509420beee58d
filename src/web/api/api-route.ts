import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addressFields, type Operation } from '../../operations/operation.ts'
import type { Role } from '../../store/people/operators.ts'
import type { Limit } from '../../views/limits.ts'
import type { Site } from '../site/site.ts'

/** A checked request to a route of the API. */
type Call<Query, Body> = {
  site: Site
  by: string
  params: Record<string, string>
  query: Query
  body: Body
  request: FastifyRequest
  reply: FastifyReply
}

/** One route of the API as data: it is served and described from the same lines. */
export type ApiRoute<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST'
  /** As OpenAPI writes it: `/batches/{batch}`. */
  path: string
  role: Role
  name: string
  summary: string
  query?: Query
  body?: Body
  /** Takes a file as `multipart/form-data`, after these fields. */
  upload?: z.ZodObject
  reply: z.ZodType
  /** What it performs; then `query` and `body` only describe it. */
  operation?: Operation
  answer?(call: Call<z.output<Query>, z.output<Body>>): Promise<unknown>
}

/** The `limit` of a query. */
export const upTo = ({ usual, most }: Limit) => z.coerce.number().int().min(1).max(most).default(usual)

export const apiRoute = <Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType>(
  route: ApiRoute<Query, Body>,
): ApiRoute => route as unknown as ApiRoute

/** The route of an operation: the fields that its address does not name are its query or its body. */
export const operationRoute = (operation: Operation): ApiRoute => {
  const [method, path] = operation.route.split(' ') as ['GET' | 'POST', string]
  const named: Record<string, true> = Object.fromEntries(addressFields(operation).map((name) => [name, true]))
  const others = operation.input.omit(named)
  const { name, summary, role, output: reply } = operation
  const given = Object.keys(others.shape).length > 0 && { [method === 'GET' ? 'query' : 'body']: others }
  return { operation, method, path, name, summary, role, reply, ...given }
}
