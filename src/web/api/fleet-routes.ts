import { z } from 'zod'
import { holdLaneByHand, nameOf, resumeLaneByHand } from '../../batches/steer.ts'
import { localDay } from '../../domain/calendar.ts'
import { heldLanes } from '../../store/fleet/lanes.ts'
import { listWorkers } from '../../store/fleet/workers.ts'
import { listAudit } from '../../store/people/audit.ts'
import { spentBySweeps, spentOn } from '../../store/purchases/spending.ts'
import { listSweeps } from '../../store/radars/sweeps.ts'
import { listUsage } from '../../views/usage.ts'
import { erasePerson, laneIn, runSweep, sweepIn } from '../actions/fleet.ts'
import { apiRoute } from './api-route.ts'
import { auditEntry, hold, sweep } from './schemas.ts'

const auditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(10_000).default(50),
  before: z.coerce
    .bigint()
    .positive()
    .max(2n ** 62n)
    .optional(),
})

const laneHeld = z.object({ lane: z.string(), held: z.boolean() })

export const fleetRoutes = [
  apiRoute({
    method: 'GET',
    path: '/lanes',
    role: 'analyst',
    name: 'listLanes',
    summary: 'What is held and why',
    reply: z.object({ held: z.array(hold) }),
    answer: async ({ site }) => ({
      held: (await heldLanes(site.engine.sql)).map((each) => ({
        lane: nameOf(each),
        cause: each.cause,
        detail: each.detail,
        since: each.heldAt.toISOString(),
        nextTry: each.probeAt?.toISOString() ?? null,
        tries: each.probes,
      })),
    }),
  }),
  apiRoute({
    method: 'POST',
    path: '/lanes/{organization}/{kind}/hold',
    role: 'ops',
    name: 'holdLane',
    summary: 'Sends nothing more in a lane',
    body: z.strictObject({ reason: z.string().trim().min(1).max(200) }),
    reply: laneHeld,
    async answer({ site, by, params, body }) {
      const lane = laneIn(site, params.organization, params.kind)
      await holdLaneByHand(site.engine.sql, lane, { by, now: site.engine.clock(), reason: body.reason })
      return { lane: nameOf(lane), held: true }
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/lanes/{organization}/{kind}/resume',
    role: 'ops',
    name: 'resumeLane',
    summary: 'Lets a lane go on, whatever holds it',
    reply: laneHeld,
    async answer({ site, by, params }) {
      const lane = laneIn(site, params.organization, params.kind)
      await resumeLaneByHand(site.engine.sql, lane, { by, now: site.engine.clock() })
      site.engine.wake()
      return { lane: nameOf(lane), held: false }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/workers',
    role: 'analyst',
    name: 'listWorkers',
    summary: 'Who is alive, and how the bound is shared',
    reply: z.object({
      workers: z.array(
        z.object({ host: z.string(), pid: z.int(), share: z.int(), open: z.int(), beat: z.iso.datetime() }),
      ),
    }),
    answer: async ({ site }) => ({
      workers: (await listWorkers(site.engine.sql)).map(({ host, pid, share, open, beatAt }) => ({
        host,
        pid,
        share,
        open,
        beat: beatAt.toISOString(),
      })),
    }),
  }),
  apiRoute({
    method: 'GET',
    path: '/sweeps',
    role: 'analyst',
    name: 'listSweeps',
    summary: 'Runs of the recurring tasks, newest first, with their coverage',
    query: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(50) }),
    reply: z.object({ sweeps: z.array(sweep) }),
    async answer({ site, query }) {
      const sweeps = await listSweeps(site.engine.sql, query)
      const ids = sweeps.map(({ id }) => id)
      const bought = await spentBySweeps(site.engine.sql, ids)
      return {
        sweeps: sweeps.map(({ id, startedAt, finishedAt, detail, ...rest }) => ({
          sweep: id,
          ...rest,
          bought: bought.get(id) ?? null,
          started: startedAt.toISOString(),
          finished: finishedAt?.toISOString() ?? null,
        })),
      }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/sweeps/{name}',
    role: 'ops',
    name: 'quoteSweep',
    summary: 'How many analyses a recurring task would buy now, at most; it runs nothing',
    reply: z.object({ name: z.string(), analysesToBuy: z.int() }),
    answer: async ({ site, params }) => ({
      name: sweepIn(params),
      analysesToBuy: await site.analysesToBuy(sweepIn(params)),
    }),
  }),
  apiRoute({
    method: 'POST',
    path: '/sweeps/{name}',
    role: 'ops',
    name: 'runSweep',
    summary: 'Runs a recurring task now',
    reply: z.object({ sweep: z.int(), name: z.string() }),
    answer: async ({ site, by, params }) => ({ sweep: await runSweep(site, sweepIn(params), by), name: params.name }),
  }),
  apiRoute({
    method: 'GET',
    path: '/usage',
    role: 'analyst',
    name: 'readUsage',
    summary: 'Spending today against the budget, and what the registry says it charged beside what was recorded',
    reply: z.object({
      today: z.object({ day: z.iso.date(), spent: z.int(), budget: z.int().nullable() }),
      days: z.array(
        z.object({ organization: z.int(), day: z.iso.date(), told: z.int(), recorded: z.int(), difference: z.int() }),
      ),
    }),
    async answer({ site }) {
      const day = localDay(site.engine.clock(), site.settings.timezone)
      const days = await listUsage(site.engine.sql, 60)
      return {
        today: { day, spent: await spentOn(site.engine.sql, day), budget: site.settings.budget.perDay },
        days: days.map(({ organizationId, told, recorded, ...rest }) => ({
          organization: organizationId,
          ...rest,
          told,
          recorded,
          difference: told - recorded,
        })),
      }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/audit',
    role: 'admin',
    name: 'listAudit',
    summary: 'Who did what to what, newest first',
    query: auditQuery,
    reply: z.object({ entries: z.array(auditEntry) }),
    answer: async ({ site, query }) => ({
      entries: (await listAudit(site.engine.sql, query.limit, query.before ?? null)).map((entry) => ({
        ...entry,
        at: entry.at.toISOString(),
      })),
    }),
  }),
  apiRoute({
    method: 'POST',
    path: '/purge',
    role: 'admin',
    name: 'erasePerson',
    summary: 'Removes every trace of a document; what was charged stays on record',
    body: z.strictObject({ document: z.string().max(64) }),
    reply: z
      .object({ lookups: z.int(), batches: z.array(z.int()), storedFiles: z.int(), monitoredBy: z.array(z.int()) })
      .loose(),
    answer: ({ site, by, body }) => erasePerson(site, body.document, by),
  }),
]
