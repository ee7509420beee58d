import type { z } from 'zod'
import { addressFields, type Operation } from '../../operations/operation.ts'
import type { Role } from '../../store/people/operators.ts'

/** The route of an operation as data: it is served and described from the same lines. */
export type ApiRoute = {
  operation: Operation
  method: 'GET' | 'POST'
  /** As OpenAPI writes it: `/batches/{batch}`. */
  path: string
  role: Role
  name: string
  summary: string
  query?: z.ZodObject
  body?: z.ZodObject
  /** The fields of a form that ends with a file. */
  upload?: z.ZodObject
  reply: z.ZodType
}

/** The fields that the address does not name are the query, the body or the form. */
export const operationRoute = (operation: Operation): ApiRoute => {
  const [method, address] = operation.route.split(' ') as ['GET' | 'POST', string]
  const [path, inQuery] = address.split('?') as [string, string?]
  const { name, summary, role, output: reply } = operation
  return { operation, method, path, name, summary, role, reply, ...partsOf(operation, method, inQuery) }
}

const partsOf = ({ input, ...operation }: Operation, method: string, inQuery?: string): Partial<ApiRoute> => {
  const others: z.ZodObject = input.omit(naming(addressFields(operation)))
  if ('file' in input.shape) {
    if (!inQuery) return { upload: others.omit(naming(['file'])) }
    return { upload: others.omit(naming(['file', inQuery])), query: others.pick(naming([inQuery])) }
  }
  return Object.keys(others.shape).length === 0 ? {} : { [method === 'GET' ? 'query' : 'body']: others }
}

const naming = (names: string[]): Record<string, true> => Object.fromEntries(names.map((name) => [name, true]))
