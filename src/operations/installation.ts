import { z } from 'zod'
import { forgetChoice } from '../batches/submit.ts'
import { notifyPeople } from '../monitoring/notify-people.ts'
import { listWorkers } from '../store/fleet/workers.ts'
import { limits, moment, toView } from '../views/fields.ts'
import { alert, auditEntry, columnChoice, listAlerts, listAudit, listColumnChoices } from '../views/installation.ts'
import { defineOperation, id, limitOf, Refusal } from './operation.ts'

const worker = z
  .object({ host: z.string(), pid: z.int(), share: z.int(), open: z.int(), beat: moment })
  .describe('one that died recently still has its share')

/** The workers, what they sent to people, and what people did and chose. */
export const installationOperations = {
  workers: defineOperation('listWorkers', 'analyst', 'GET /workers', {
    summary: 'The workers, their shares of the limit and their last heartbeats',
    output: z.object({ workers: z.array(worker) }),
    run: async ({ sql }) => ({
      workers: (await listWorkers(sql)).map((each) => toView(worker, { ...each, beat: each.heartbeatAt })),
    }),
  }),
  alerts: defineOperation('listAlerts', 'ops', 'GET /alerts', {
    summary: 'Notifications by recipient, newest first, with those not delivered yet',
    input: z.object({ limit: limitOf(limits.alerts) }),
    output: z.object({ alerts: z.array(alert) }),
    run: async ({ sql }, { limit }) => ({ alerts: await listAlerts(sql, limit) }),
  }),
  testAlerts: defineOperation('testAlerts', 'admin', 'POST /alerts/test', {
    summary: 'Sends a test message to every address of the settings',
    output: z.object({ alerts: z.array(alert) }),
    async run({ sql, by, clock, settings, queues }) {
      const now = clock()
      const event = { key: `test ${now.toISOString()}`, about: 'test', severity: 'critical' as const, body: { by } }
      const notified = await notifyPeople({ sql, boss: await queues(), settings, clock: () => now }, event)
      if (!notified)
        throw new Refusal(409, 'wrong_request', 'No address is set: add one under `alerts` in the settings')
      return { alerts: (await listAlerts(sql, 100)).filter(({ made }) => made === now.toISOString()) }
    },
  }),
  columns: defineOperation('listColumns', 'analyst', 'GET /columns', {
    summary: 'The columns that people chose, by headers',
    output: z.object({ columns: z.array(columnChoice) }),
    run: async ({ sql }) => ({ columns: await listColumnChoices(sql) }),
  }),
  forgetColumns: defineOperation('forgetColumns', 'ops', 'POST /columns/{choice}/forget', {
    summary: 'Deletes a choice of columns: such files are read by their headers again',
    input: z.object({ choice: id }),
    output: z.object({ id: z.int(), forgotten: z.boolean() }),
    async run({ sql, by }, { choice }) {
      await forgetChoice(sql, choice, by)
      return { id: Number(choice), forgotten: true }
    },
  }),
  audit: defineOperation('listAudit', 'admin', 'GET /audit', {
    summary: 'Who did what to what, newest first',
    input: z.object({
      limit: limitOf(limits.audit),
      before: id.optional().describe('only entries older than this one'),
    }),
    output: z.object({ entries: z.array(auditEntry) }),
    run: async ({ sql }, { limit, before }) => ({ entries: await listAudit(sql, limit, before) }),
  }),
}
