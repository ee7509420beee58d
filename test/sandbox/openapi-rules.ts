type Json = Record<string, unknown>
type Operation = {
  operationId?: string
  parameters?: { name: string; in: string; required: boolean }[]
  responses?: Json
}

/** What is wrong with a description, by the rules of OpenAPI 3.1 that matter to its readers. */
export const faultsOfDescription = (description: Json): string[] => {
  const operations = operationsOf(description)
  return [
    ...headFaults(description),
    ...repeated(operations.map(({ operation }) => operation.operationId ?? '(none)')),
    ...operations.flatMap(({ name, path, operation }) => operationFaults(name, path, operation)),
    ...everyObject(description).flatMap((object) => schemaFaults(description, object)),
  ]
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

const headFaults = ({ openapi, info }: Json): string[] => {
  const { title, version } = info as Json
  const wrong = /^3\.1\.\d+$/.test(String(openapi)) ? [] : ['openapi is not 3.1']
  return [...wrong, ...(title ? [] : ['info.title is missing']), ...(version ? [] : ['info.version is missing'])]
}

const operationsOf = ({ paths }: Json) =>
  Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
  )

const repeated = (ids: string[]): string[] =>
  ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `operationId ${id} occurs twice`)

/** Every value in the path is declared as required, every declared one is in the path, and there is an answer. */
const operationFaults = (name: string, path: string, { parameters = [], responses = {} }: Operation): string[] => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, value]) => value as string)
  const declared = parameters.filter((it) => it.in === 'path' && it.required).map((it) => it.name)
  return [
    ...inPath.filter((value) => !declared.includes(value)).map((value) => `${name} does not declare ${value}`),
    ...declared.filter((value) => !inPath.includes(value)).map((value) => `${name} declares ${value} for nothing`),
    ...(Object.keys(responses).length > 0 ? [] : [`${name} has no responses`]),
    ...Object.entries(responses as Record<string, Json>)
      .filter(([code, response]) => !/^([1-5](\d\d|XX)|default)$/.test(code) || !response.description)
      .map(([code]) => `${name} has a wrong response ${code}`),
  ]
}

const schemaFaults = (description: Json, object: Json): string[] => {
  const dangling = typeof object.$ref === 'string' && resolve(description, object.$ref) === undefined
  const named = typeof object.type === 'string' && !('scheme' in object) ? [object.type] : []
  return [
    ...(dangling ? [`${object.$ref} leads nowhere`] : []),
    ...named.filter((type) => !types.includes(type)).map((type) => `${type} is no JSON Schema type`),
  ]
}

const resolve = (description: Json, ref: string): unknown => {
  if (!ref.startsWith('#/')) return undefined
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], description)
}

const everyObject = (value: unknown): Json[] => {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(everyObject)
  return Array.isArray(value) ? inner : [value as Json, ...inner]
}
