import { z } from 'zod'
import { forgetChoice } from '../../batches/column-choices.ts'
import { localDay } from '../../domain/calendar.ts'
import { laneOperations } from '../../operations/lanes.ts'
import { parkedOperations } from '../../operations/parked.ts'
import { listSweeps } from '../../store/radars/sweeps.ts'
import { auditEntry, listAudit } from '../../views/audit.ts'
import { columnChoice, listColumnChoices } from '../../views/column-choice.ts'
import { erasure, toErasureView } from '../../views/erasure.ts'
import { limits } from '../../views/limits.ts'
import { plansRead, readPlans } from '../../views/plans.ts'
import { sweepShown, toSweepsView } from '../../views/sweep.ts'
import { sweepQuote } from '../../views/sweep-preview.ts'
import { contradiction, listContradictions, listUsage, readToday, usageDay, usageToday } from '../../views/usage.ts'
import { readWorkers, workerShown } from '../../views/worker.ts'
import { beginSweepNow, erasePerson, sweepIn } from '../actions/fleet.ts'
import { idIn } from '../address.ts'
import { apiRoute, operationRoute, upTo } from './api-route.ts'

const auditQuery = z.object({
  limit: upTo(limits.audit),
  before: z.coerce
    .bigint()
    .positive()
    .max(2n ** 62n)
    .optional(),
})

export const fleetRoutes = [
  ...Object.values(laneOperations).map(operationRoute),
  apiRoute({
    method: 'GET',
    path: '/columns',
    role: 'analyst',
    name: 'listColumns',
    summary: 'The columns that people chose, by headers',
    reply: z.object({ columns: z.array(columnChoice) }),
    answer: async ({ site }) => ({ columns: await listColumnChoices(site.engine.sql) }),
  }),
  apiRoute({
    method: 'POST',
    path: '/columns/{choice}/forget',
    role: 'ops',
    name: 'forgetColumns',
    summary: 'Deletes a choice of columns: such files are read by their headers again',
    reply: z.object({ id: z.int(), forgotten: z.boolean() }),
    async answer({ site, by, params }) {
      const id = idIn(params, 'choice')
      await forgetChoice(site.engine.sql, id, by)
      return { id, forgotten: true }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/workers',
    role: 'analyst',
    name: 'listWorkers',
    summary: 'The workers, their shares of the limit and their last heartbeats',
    reply: z.object({ workers: z.array(workerShown) }),
    answer: async ({ site }) => ({ workers: await readWorkers(site.engine.sql) }),
  }),
  ...Object.values(parkedOperations).map(operationRoute),
  apiRoute({
    method: 'GET',
    path: '/sweeps',
    role: 'analyst',
    name: 'listSweeps',
    summary: 'Runs of the recurring tasks, newest first, with their coverage',
    query: z.object({ limit: upTo(limits.sweeps) }),
    reply: z.object({ sweeps: z.array(sweepShown) }),
    async answer({ site: { engine, settings }, query }) {
      const found = await listSweeps(engine.sql, query)
      return { sweeps: await toSweepsView(engine.sql, found, settings.budget.unitPrice) }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/sweeps/{name}',
    role: 'ops',
    name: 'quoteSweep',
    summary: 'How many analyses a recurring task would buy now, at most; it runs nothing',
    reply: sweepQuote,
    answer: ({ site, request }) => site.quoteSweep(sweepIn(request)),
  }),
  apiRoute({
    method: 'POST',
    path: '/sweeps/{name}',
    role: 'ops',
    name: 'runSweep',
    summary: 'Runs a recurring task now; purge needs the role admin',
    reply: z.object({ sweep: z.int(), name: z.string() }),
    async answer({ site, by, request }) {
      const name = sweepIn(request)
      return { sweep: await beginSweepNow(site, name, by), name }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/usage',
    role: 'analyst',
    name: 'readUsage',
    summary: 'Spending today against the budget, and the registry’s charges compared with our records',
    query: z.object({ days: upTo(limits.usageDays) }),
    reply: z.object({
      today: usageToday.nullable().describe('null for an operator who is bound to some organizations'),
      days: z.array(usageDay),
      contradicted: z
        .array(contradiction)
        .describe('bought although the organization owned an analysis that the list did not show'),
    }),
    async answer({ site: { engine, settings }, query }) {
      const now = engine.clock()
      const since = localDay(new Date(now.getTime() - query.days * 86_400_000), settings.timezone)
      return {
        today: await readToday(engine.sql, now, settings),
        days: await listUsage(engine.sql, { since, prices: settings.budget.unitPrice }),
        contradicted: await listContradictions(engine.sql, {
          limit: 100,
          freshMs: settings.forKind.analysis.freshness,
        }),
      }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/plans',
    role: 'analyst',
    name: 'readPlans',
    summary: 'What each plan consumed by the last usage sweep, and what is left where the registry’s list shows it',
    reply: z.object({ plans: plansRead.nullable().describe('null before the first usage sweep') }),
    answer: async ({ site }) => ({ plans: await readPlans(site.engine.sql) }),
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
      entries: await listAudit(site.engine.sql, query.limit, query.before ?? null),
    }),
  }),
  apiRoute({
    method: 'POST',
    path: '/purge',
    role: 'admin',
    name: 'erasePerson',
    summary: 'Erases everything about a document; the charges stay on record',
    body: z.strictObject({ document: z.string().max(64) }),
    reply: erasure,
    answer: async ({ site, by, body }) => toErasureView(await erasePerson(site, body.document, by)),
  }),
]
