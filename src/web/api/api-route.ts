import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
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
  answer(call: Call<z.output<Query>, z.output<Body>>): Promise<unknown>
}

/** The `limit` of a query. */
export const upTo = ({ usual, most }: Limit) => z.coerce.number().int().min(1).max(most).default(usual)

export const apiRoute = <Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType>(
  route: ApiRoute<Query, Body>,
): ApiRoute => route as unknown as ApiRoute
