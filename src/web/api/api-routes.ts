import type { z } from 'zod'
import { batchOperations } from '../../operations/batches.ts'
import { fileOperations } from '../../operations/files.ts'
import { installationOperations } from '../../operations/installation.ts'
import { laneOperations } from '../../operations/lanes.ts'
import { lookupOperations } from '../../operations/lookups.ts'
import { addressFields, type Operation } from '../../operations/operation.ts'
import { operatorOperations } from '../../operations/operators.ts'
import { parkedOperations } from '../../operations/parked.ts'
import { personOperations } from '../../operations/person.ts'
import { portfolioOperations } from '../../operations/portfolios.ts'
import { changeOperations, radarOperations } from '../../operations/radars.ts'
import { rowOperations } from '../../operations/rows.ts'
import { ruleOperations } from '../../operations/rules.ts'
import { sweepOperations } from '../../operations/sweeps.ts'
import { usageOperations } from '../../operations/usage.ts'
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

/** Every operation, in the order of their description. */
const operations = [
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
].flatMap((subject) => Object.values(subject))

/** Every route of the API. */
export const apiRoutes: readonly ApiRoute[] = operations.map(operationRoute)

/** The fields that the address does not name are the query, the body or the form. */
function operationRoute(operation: Operation): ApiRoute {
  const [method, address] = operation.route.split(' ') as ['GET' | 'POST', string]
  const [path, inQuery] = address.split('?') as [string, string?]
  const { name, summary, role, output: reply } = operation
  return { operation, method, path, name, summary, role, reply, ...partsOf(operation, method, inQuery) }
}

function partsOf({ input, ...operation }: Operation, method: string, inQuery?: string): Partial<ApiRoute> {
  const others: z.ZodObject = input.omit(naming(addressFields(operation)))
  if ('file' in input.shape) {
    if (!inQuery) return { upload: others.omit(naming(['file'])) }
    return { upload: others.omit(naming(['file', inQuery])), query: others.pick(naming([inQuery])) }
  }
  return Object.keys(others.shape).length === 0 ? {} : { [method === 'GET' ? 'query' : 'body']: others }
}

function naming(names: string[]): Record<string, true> {
  return Object.fromEntries(names.map((name) => [name, true]))
}
