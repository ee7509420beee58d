import { z } from 'zod'
import { maskDocument } from '../../domain/document.ts'
import { parseDuration } from '../../domain/duration.ts'
import { type ChangeLine, listChangesSince } from '../../views/change.ts'
import { listRadars, type RadarLine } from '../../views/radar.ts'
import { apiRoute } from './api-route.ts'
import { change, radar } from './schemas.ts'

const span = z
  .string()
  .regex(/^\d{1,6}(ms|s|m|h|d)$/, 'expected a span such as 7d')
  .default('7d')

export const radarRoutes = [
  apiRoute({
    method: 'GET',
    path: '/radars',
    role: 'analyst',
    name: 'listRadars',
    summary: 'The local mirror of the registry’s list of monitored documents',
    query: z.object({
      search: z.string().max(100).optional(),
      limit: z.coerce.number().int().min(1).max(10_000).default(1000),
    }),
    reply: z.object({ radars: z.array(radar) }),
    answer: async ({ site, query }) => ({ radars: (await listRadars(site.engine.sql, query)).map(radarOf) }),
  }),
  apiRoute({
    method: 'GET',
    path: '/radars/changes',
    role: 'analyst',
    name: 'listChanges',
    summary: 'What changed, the newest sweep first and in it the worst',
    query: z.object({ since: span, limit: z.coerce.number().int().min(1).max(10_000).default(1000) }),
    reply: z.object({ changes: z.array(change) }),
    async answer({ site, query }) {
      const since = new Date(site.engine.clock().getTime() - parseDuration(query.since))
      return { changes: (await listChangesSince(site.engine.sql, since, query.limit)).map(changeOf) }
    },
  }),
]

const radarOf = (line: RadarLine) => ({
  organization: line.organizationId,
  document: maskDocument(line.document),
  name: line.name,
  active: line.active,
  added: line.addedAt?.toISOString() ?? null,
  removed: line.removedAt?.toISOString() ?? null,
  verified: line.verifiedAt?.toISOString() ?? null,
  processes: line.processes,
})

const changeOf = ({ organizationId, document, name, field, verdict, before, after, seenAt }: ChangeLine) => ({
  organization: organizationId,
  document: maskDocument(document),
  name,
  field,
  verdict,
  before,
  after,
  seen: seenAt.toISOString(),
})
