import { z } from 'zod'
import { readOwnNames } from '../batches/own-names.ts'
import { parseDuration } from '../domain/duration.ts'
import { acceptRadarList } from '../monitoring/mirror-radars.ts'
import { filedChange, listChanges, toFiledChangeView } from '../views/change.ts'
import { type Limit, limits } from '../views/limits.ts'
import { acceptedList, listRadars, radar, readSuspicious, suspiciousList, toRadarView } from '../views/radar.ts'
import type { Context } from './context.ts'
import { id, limitOf } from './fields.ts'
import { defineOperation } from './operation.ts'

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
  list: defineOperation({
    name: 'listRadars',
    summary: 'The local mirror of the registry’s list of monitored documents by name, and rejected lists',
    role: 'analyst',
    route: 'GET /radars',
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
  changes: defineOperation({
    name: 'listChanges',
    summary: 'What changed, worst first',
    role: 'analyst',
    route: 'GET /radars/changes',
    input: z.object({ since, limit: limitOf(most) }),
    output: z.object({ changes: z.array(filedChange) }),
    async run(context, input) {
      const { sql, unmasked } = context
      const changes = await changesSince(context, input)
      const ownNames = await readOwnNames(sql, changes, unmasked)
      return { changes: changes.map((line) => toFiledChangeView(line, ownNames(line), unmasked)) }
    },
  }),
  accept: defineOperation({
    name: 'acceptRadars',
    summary: 'Applies a rejected list of radars, including its removals',
    role: 'admin',
    route: 'POST /radars/{organization}/accept',
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
