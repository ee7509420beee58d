import { z } from 'zod'
import { readOwnNames } from '../../batches/own-names.ts'
import { parseDuration } from '../../domain/duration.ts'
import { filedChange, listChanges, toFiledChangeView } from '../../views/change.ts'
import { limits } from '../../views/limits.ts'
import { listRadars, radar, readSuspicious, suspiciousList, toRadarView } from '../../views/radar.ts'
import { apiRoute, upTo } from './api-route.ts'

const span = z
  .string()
  .regex(/^\d{1,6}(ms|s|m|h|d)$/, 'expected a span such as 7d')
  .default('7d')

const limit = upTo(limits.radarsServed)

export const radarRoutes = [
  apiRoute({
    method: 'GET',
    path: '/radars',
    role: 'analyst',
    name: 'listRadars',
    summary: 'The local mirror of the registry’s list of monitored documents by name, and rejected lists',
    query: z.object({
      search: z.string().max(100).optional(),
      removed: z.stringbool().default(false).describe('those too that the registry no longer lists'),
      limit,
    }),
    reply: z.object({ radars: z.array(radar), suspicious: z.array(suspiciousList) }),
    answer: async ({ site, query: { removed, ...query } }) => ({
      radars: (await listRadars(site.engine.sql, { ...query, listed: !removed })).map((line) => toRadarView(line)),
      suspicious: await readSuspicious(site.engine.sql),
    }),
  }),
  apiRoute({
    method: 'GET',
    path: '/radars/changes',
    role: 'analyst',
    name: 'listChanges',
    summary: 'What changed, worst first',
    query: z.object({ since: span, limit }),
    reply: z.object({ changes: z.array(filedChange) }),
    async answer({ site, query }) {
      const since = new Date(site.engine.clock().getTime() - parseDuration(query.since))
      const changes = await listChanges(site.engine.sql, { since, limit: query.limit })
      const ownNames = await readOwnNames(site.engine.sql, changes)
      return { changes: changes.map((line) => toFiledChangeView(line, ownNames(line))) }
    },
  }),
]
