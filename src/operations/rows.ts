import { z } from 'zod'
import { BatchRefusal, batchOrRefuse } from '../batches/batch-or-refuse.ts'
import { collectRows, keepNames, readLookupHistory, readOwnRows, readRowHistory } from '../batches/own-rows.ts'
import { type Resolution, readParked, resolveLookup, resolveRow } from '../batches/resolve.ts'
import { localDay } from '../domain/calendar.ts'
import type { Kind } from '../domain/kind.ts'
import { nameMatches } from '../domain/name-match.ts'
import { readParkedLookup } from '../store/lookups/parked-rows.ts'
import { fullStatus } from '../views/batch-status.ts'
import { limits } from '../views/fields.ts'
import { parkedShown } from '../views/parked.ts'
import { lookupHistory, rowHistory, rowLine, toRowView } from '../views/row.ts'
import { statusOf, steeringOf } from './batches.ts'
import { type Context, column, defineOperation, id, limitOf, line, Refusal } from './operation.ts'

export const rowOperations = {
  list: defineOperation('listRows', 'analyst', 'GET /batches/{batch}/rows', {
    summary: 'Rows in the order of the file, a page at a time; `next` is the `after` of the next page',
    input: z.object({
      batch: id,
      outcome: z.string().max(30).optional(),
      reason: z.string().max(30).optional(),
      name: z.enum(nameMatches).optional().describe('how the name in the file compares with that of the registry'),
      after: z.int().min(0).max(2_000_000_000).default(0),
    }),
    output: z.object({ rows: z.array(rowLine), next: z.int().nullable() }),
    async run({ sql }, { batch: id, after, name, ...filter }) {
      const batch = await batchOrRefuse(sql, id)
      const keep = name && keepNames(sql, batch, name)
      const { rows, next } = await collectRows(sql, batch.id, filter, after, { keep })
      const own = await readOwnRows(sql, batch, rows)
      return { rows: rows.map((row) => toRowView(batch, row, own.get(row.line))), next }
    },
  }),
  read: defineOperation('readRow', 'analyst', 'GET /batches/{batch}/rows/{line}', {
    summary: 'One row: the registry’s answer, the cells of the file, and its history',
    input: z.object({ batch: id, line, column }),
    output: rowHistory,
    run: ({ sql }, { batch, ...place }) => readRowHistory(sql, batch, place),
  }),
}

/** A person's decision: one of the three. */
const settling = {
  adopt: z
    .string()
    .trim()
    .regex(/^[\w-]{1,64}$/)
    .optional()
    .describe('it was bought, with this id at the registry'),
  resend: z.boolean().optional().describe('it was not bought: send it again and pay for it'),
  drop: z.boolean().optional().describe('cancel the row; its cost stays unknown'),
}

/** The decision in an input that may hold none, or several. */
export const resolutionIn = ({ adopt, resend, drop }: Partial<z.output<z.ZodObject<typeof settling>>>): Resolution => {
  const resolutions: Resolution[] = []
  if (adopt !== undefined) resolutions.push({ adopt })
  if (resend) resolutions.push('resend')
  if (drop) resolutions.push('drop')
  if (resolutions.length !== 1) throw new Refusal(422, 'wrong_request', ['say_how'])
  return resolutions[0]!
}

const resolvingOf = (context: Context, kind: Kind) => ({
  ...steeringOf(context, kind),
  today: (moment: Date) => localDay(moment, context.settings.timezone),
  purchases: context.purchases,
})

/** The kind of a parked look-up. */
export const parkedKind = async ({ sql }: Context, lookup: bigint): Promise<Kind> => {
  const parked = await readParkedLookup(sql, lookup)
  if (!parked) throw new BatchRefusal(['no_lookup', lookup])
  return parked.kind
}

export const parkedOperations = {
  list: defineOperation('listParked', 'analyst', 'GET /parked', {
    summary: 'Every parked purchase, of files and sweeps, with the purchases of its document in the registry’s list',
    input: z.object({ limit: limitOf(limits.parked) }),
    output: z.object({ parked: z.array(parkedShown) }),
    run: async ({ sql }, { limit }) => ({ parked: await readParked(sql, limit) }),
  }),
  resolveRow: defineOperation('resolveRow', 'admin', 'POST /batches/{batch}/rows/{line}/resolve', {
    summary: 'Settles a parked row: adopt a purchase by its number, send it again, or drop it',
    input: z.strictObject({ batch: id, line, column, ...settling }),
    output: z.object({ row: rowHistory, status: fullStatus }),
    async run(context, { batch, line, column, ...decision }) {
      const { sql } = context
      const { kind } = await batchOrRefuse(sql, batch)
      const place = { line, column }
      const settled = await resolveRow(sql, batch, place, resolutionIn(decision), resolvingOf(context, kind))
      return { row: await readRowHistory(sql, batch, { line, ...settled }), status: await statusOf(context, batch) }
    },
  }),
  resolveLookup: defineOperation('resolveParked', 'admin', 'POST /parked/{lookup}/resolve', {
    summary: 'Settles a parked purchase by the number of its look-up; those of sweeps have no row',
    input: z.strictObject({ lookup: id, ...settling }),
    output: lookupHistory,
    async run(context, { lookup, ...decision }) {
      const kind = await parkedKind(context, lookup)
      await resolveLookup(context.sql, lookup, resolutionIn(decision), resolvingOf(context, kind))
      return readLookupHistory(context.sql, lookup)
    },
  }),
}
