import { z } from 'zod'
import { readOwnNames } from '../batches/own-rows.ts'
import { parseDuration } from '../domain/duration.ts'
import { acceptRadarList } from '../monitoring/mirror-radars.ts'
import { acknowledgeChanges } from '../monitoring/rules.ts'
import { acknowledgement, filedChange, listChanges, toChangeView } from '../views/change.ts'
import { type Limit, limits } from '../views/fields.ts'
import { acceptedList, listRadars, radar, readSuspicious, suspiciousList, toRadarView } from '../views/radar.ts'
import { type Context, defineOperation, id, limitOf } from './operation.ts'

const since = z
  .string()
  .regex(/^\d{1,6}(ms|s|m|h|d)$/, 'expected a span such as 7d')
  .default('7d')
  .describe('how far back')

/** The changes that an input asks for, as they are stored. */
export const changesSince = ({ sql, clock }: Context, { since, limit }: { since: string; limit: number }) =>
  listChanges(sql, { since: new Date(clock().getTime() - parseDuration(since)), limit })

/** A command lists more than the API, which builds its response in the memory of a worker and blocks it meanwhile. */
export const radarOperationsUpTo = (most: Limit) => ({
  list: defineOperation('listRadars', 'analyst', 'GET /radars', {
    summary: 'The local mirror of the registry’s list of monitored documents by name, and rejected lists',
    input: z.object({
      search: z.string().max(100).optional().describe('only radars with this in their name'),
      removed: z.boolean().default(false).describe('include radars that the registry no longer lists'),
      limit: limitOf(most),
      organization: id.optional().describe('only this organization'),
    }),
    output: z.object({ radars: z.array(radar), suspicious: z.array(suspiciousList) }),
    run: async ({ sql, unmasked }, { removed, ...query }) => ({
      radars: (await listRadars(sql, { ...query, listed: !removed })).map((line) => toRadarView(line, unmasked)),
      suspicious: await readSuspicious(sql),
    }),
  }),
  changes: defineOperation('listChanges', 'analyst', 'GET /radars/changes', {
    summary: 'What changed, worst first',
    input: z.object({ since, limit: limitOf(most) }),
    output: z.object({ changes: z.array(filedChange) }),
    async run(context, input) {
      const { sql, unmasked } = context
      const changes = await changesSince(context, input)
      const ownNames = await readOwnNames(sql, changes, unmasked)
      return { changes: changes.map((line) => ({ ...toChangeView(line, unmasked), file: ownNames(line) })) }
    },
  }),
  accept: defineOperation('acceptRadars', 'admin', 'POST /radars/{organization}/accept', {
    summary: 'Applies a rejected list of radars, including its removals',
    input: z.object({ organization: id.describe('the organization whose rejected list is correct') }),
    output: acceptedList,
    async run(context, { organization }) {
      const organizationId = Number(organization)
      const radars = await acceptRadarList(context, { organizationId, by: context.by })
      return { organization: organizationId, radars }
    },
  }),
})

export const radarOperations = radarOperationsUpTo(limits.radarsServed)

const change = id.describe('its number, as `vigia radars changes` shows it')

const note = z.string().trim().min(1).max(500).describe('what was done, for others to read (required)')

const snoozing = z.string().regex(/^\d{1,4}(h|d)$/, 'expected a span such as 7d')

/** With `for` the figures are snoozed too. */
type Acknowledging = { changes: readonly bigint[]; note: string; for?: string }

const acknowledge = ({ sql, by, clock }: Context, { changes, note, for: length }: Acknowledging) => {
  const now = clock()
  const until = length ? new Date(now.getTime() + parseDuration(length)) : null
  return acknowledgeChanges(sql, changes, { by, note, until, now })
}

export const changeOperations = {
  acknowledge: defineOperation('acknowledgeChange', 'analyst', 'POST /radars/changes/{change}/acknowledge', {
    summary: 'Acknowledges a change',
    input: z.strictObject({ change, note }),
    output: acknowledgement,
    run: async (context, { change, note }) => (await acknowledge(context, { changes: [change], note }))[0]!,
  }),
  snooze: defineOperation('snoozeChange', 'analyst', 'POST /radars/changes/{change}/snooze', {
    summary: 'Snoozes a change: no alert about this figure of the document for a while, unless it gets worse',
    input: z.strictObject({ change, for: snoozing.default('7d').describe('how long (default: 7d)'), note }),
    output: acknowledgement,
    run: async (context, { change, ...rest }) => (await acknowledge(context, { changes: [change], ...rest }))[0]!,
  }),
  acknowledgeSeveral: defineOperation('acknowledgeChanges', 'analyst', 'POST /radars/changes/acknowledge', {
    summary: 'Acknowledges several changes at once, all or none; with `for` it snoozes them',
    input: z.strictObject({
      changes: z
        .array(z.union([z.int().min(1).transform(BigInt), id]))
        .min(1)
        .max(10_000),
      note,
      for: snoozing.optional(),
    }),
    output: z.object({ acknowledged: z.array(acknowledgement) }),
    run: async (context, input) => ({ acknowledged: await acknowledge(context, input) }),
  }),
}
