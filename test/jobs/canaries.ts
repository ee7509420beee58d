import { z } from 'zod'
import { type OperationName, operations } from '../../src/sandbox/operations.ts'

/** A field of an answer, by its path without places in lists; what is sent in it, and how that is shown. */
export type Canary = { operation: OperationName; path: string; sent: unknown; shown: string }

type Schema = {
  $ref?: string
  type?: string
  format?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

/** The fields without which an answer is none, or is about something else. */
const fixed: Record<string, RegExp> = {
  cnhCreate: /./,
  cnhRead: /^(requestId|organizationId|document|createdAt)$/,
  // What the consultation, or the list of radars, says of the same purchase too: the later answer counts.
  generate: /Id$|documentNumber$|status|typePlan$|createdAt$/,
  consult: /^success$|uniqueId$|AnalyticsId$|register\.(status|statusIndex|statusReport|createdAt)$/i,
  activities:
    /^(sucess|total|from|to|limit)$|documentNumber$|documentType$|AnalyticsId$|UniqueId$|Analytics\.createdAt$/,
  processCount: /^success$|documentNumber$|documentType$/,
  radarAdd: /^(code|name)$/,
  radarList: /id$|code$|active$/,
  inactivate: /^sucess$/,
}

/** A canary for each field of the replies of these operations, as the interface types it. */
export const canariesOf = (names: OperationName[]): Canary[] =>
  names
    .flatMap(fieldsOf)
    .map(({ operation, path, schema }, n) => ({ operation, path, ...canaryValue(path, schema, n) }))

const fieldsOf = (operation: OperationName) => {
  const root: Schema & { $defs?: Record<string, Schema> } = z.toJSONSchema(operations[operation].reply, {
    io: 'input',
  }) as object
  const leavesIn = ({ $ref, ...own }: Schema, path: string): [string, Schema][] => {
    const schema = $ref ? root.$defs![$ref.split('/').at(-1)!]! : own
    const either = schema.anyOf?.find(({ type }) => type !== 'null')
    if (either) return leavesIn({ format: schema.format!, ...either }, path)
    if (schema.items && schema.items.type !== 'string') return leavesIn(schema.items, path)
    if (!schema.properties) return [[path, schema]]
    return Object.entries(schema.properties).flatMap(([key, inner]) => leavesIn(inner, path ? `${path}.${key}` : key))
  }
  return leavesIn(root, '')
    .filter(([path]) => !fixed[operation]?.test(path))
    .map(([path, schema]) => ({ operation, path, schema }))
}

const epoch = Date.UTC(2024, 1, 3)

const canaryValue = (path: string, { type, format }: Schema, n: number): Pick<Canary, 'sent' | 'shown'> => {
  const text = `CANARY_${String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26))}`
  const moment = epoch + n * 60_000
  const iso = new Date(moment).toISOString()
  if (type === 'boolean') return { sent: true, shown: path.split('.').at(-1)! }
  if (type === 'integer' && /createdAt/.test(path)) return { sent: moment, shown: String(moment) }
  if (type === 'integer') return { sent: 7_310_000 + n, shown: String(7_310_000 + n) }
  if (format === 'date-time') return { sent: iso, shown: String(moment) }
  if (/preProcessedAt$/.test(path)) return { sent: inBrasilia(moment), shown: String(moment) }
  if (/vltotalProcess$/.test(path)) return { sent: `8.${100 + n}.000,01`, shown: `8${100 + n}000.01` }
  if (type === 'array') return { sent: [text], shown: text }
  if (type === 'object') return { sent: { note: text }, shown: text }
  return { sent: text, shown: text }
}

/** A moment without a time zone is that of Brasília. */
const inBrasilia = (moment: number): string => new Date(moment - 3 * 3_600_000).toISOString().slice(0, 19)

/** The rule that makes the sandbox send them. */
export const ruleOf = (canaries: Canary[]) => ({
  operation: canaries[0]!.operation,
  fault: 'drift' as const,
  drift: 'values' as const,
  values: Object.fromEntries(canaries.map(({ path, sent }) => [path, sent])),
})
