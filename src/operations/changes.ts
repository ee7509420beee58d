import { z } from 'zod'
import { parseDuration } from '../domain/duration.ts'
import { acknowledgeChanges } from '../monitoring/judge-changes.ts'
import { acknowledgement, toAcknowledgementView } from '../views/change.ts'
import type { Context } from './context.ts'
import { defineOperation } from './operation.ts'

const id = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt)

const change = id.describe('its number, as `vigia radars changes` shows it')

const note = z.string().trim().min(1).max(500).describe('what was done, for others to read (required)')

const span = z.string().regex(/^\d{1,4}(h|d)$/, 'expected a span such as 7d')

/** With `for` the figures are snoozed too. */
type Acknowledging = { changes: readonly bigint[]; note: string; for?: string }

const acknowledge = async ({ sql, by, clock }: Context, { changes, note, for: length }: Acknowledging) => {
  const now = clock()
  const until = length ? new Date(now.getTime() + parseDuration(length)) : null
  return (await acknowledgeChanges(sql, changes, { by, note, until, now })).map(toAcknowledgementView)
}

export const changeOperations = {
  acknowledge: defineOperation({
    name: 'acknowledgeChange',
    summary: 'Acknowledges a change',
    role: 'analyst',
    route: 'POST /radars/changes/{change}/acknowledge',
    input: z.strictObject({ change, note }),
    output: acknowledgement,
    run: async (context, { change, note }) => (await acknowledge(context, { changes: [change], note }))[0]!,
  }),
  snooze: defineOperation({
    name: 'snoozeChange',
    summary: 'Snoozes a change: no alert about this figure of the document for a while, unless it gets worse',
    role: 'analyst',
    route: 'POST /radars/changes/{change}/snooze',
    input: z.strictObject({ change, for: span.default('7d').describe('how long (default: 7d)'), note }),
    output: acknowledgement,
    run: async (context, { change, ...rest }) => (await acknowledge(context, { changes: [change], ...rest }))[0]!,
  }),
  acknowledgeSeveral: defineOperation({
    name: 'acknowledgeChanges',
    summary: 'Acknowledges several changes at once, all or none; with `for` it snoozes them',
    role: 'analyst',
    route: 'POST /radars/changes/acknowledge',
    input: z.strictObject({
      changes: z
        .array(z.union([z.int().min(1).transform(BigInt), id]))
        .min(1)
        .max(10_000),
      note,
      for: span.optional(),
    }),
    output: z.object({ acknowledged: z.array(acknowledgement) }),
    run: async (context, input) => ({ acknowledged: await acknowledge(context, input) }),
  }),
}
