import { type OperationName, operationNames, operations } from './operations.ts'

export type Route = { operation: OperationName; params: Record<string, string> }

/** Finds the operation of a request, if there is one. An empty path value is kept: the interface has an error for it. */
export const route = (method: string, pathname: string): Route | undefined => {
  const parts = pathname.split('/')
  for (const candidate of table.get(`${method} ${parts.length}`) ?? []) {
    const params = match(candidate.parts, parts)
    if (params) return { operation: candidate.operation, params }
  }
  return undefined
}

type Candidate = { operation: OperationName; parts: string[] }

const table = Map.groupBy(
  operationNames.map((operation): Candidate => ({ operation, parts: operations[operation].path.split('/') })),
  ({ operation, parts }) => `${operations[operation].method} ${parts.length}`,
)

const match = (template: string[], parts: string[]): Record<string, string> | undefined => {
  const params: Record<string, string> = {}
  for (let i = 1; i < template.length; i++) {
    const expected = template[i] as string
    const actual = parts[i] as string
    if (expected.charCodeAt(0) === 123) params[expected.slice(1, -1)] = decode(actual)
    else if (expected !== actual) return undefined
  }
  return params
}

const decode = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
