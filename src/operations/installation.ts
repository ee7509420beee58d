import { z } from 'zod'
import { notifyPeople } from '../monitoring/notify-people.ts'
import { alert, listAlerts } from '../views/alert.ts'
import { auditEntry, listAudit } from '../views/audit.ts'
import { limits } from '../views/limits.ts'
import { readWorkers, workerShown } from '../views/worker.ts'
import { id, limitOf } from './fields.ts'
import { defineOperation } from './operation.ts'
import { Refusal } from './refusal.ts'

/** The workers, what they sent to people, and what people did. */
export const installationOperations = {
  workers: defineOperation({
    name: 'listWorkers',
    summary: 'The workers, their shares of the limit and their last heartbeats',
    role: 'analyst',
    route: 'GET /workers',
    input: z.object({}),
    output: z.object({ workers: z.array(workerShown) }),
    run: async ({ sql }) => ({ workers: await readWorkers(sql) }),
  }),
  alerts: defineOperation({
    name: 'listAlerts',
    summary: 'Notifications by recipient, newest first, with those not delivered yet',
    role: 'ops',
    route: 'GET /alerts',
    input: z.object({ limit: limitOf(limits.alerts) }),
    output: z.object({ alerts: z.array(alert) }),
    run: async ({ sql }, { limit }) => ({ alerts: await listAlerts(sql, limit) }),
  }),
  testAlerts: defineOperation({
    name: 'testAlerts',
    summary: 'Sends a test message to every address of the settings',
    role: 'admin',
    route: 'POST /alerts/test',
    input: z.object({}),
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
  audit: defineOperation({
    name: 'listAudit',
    summary: 'Who did what to what, newest first',
    role: 'admin',
    route: 'GET /audit',
    input: z.object({
      limit: limitOf(limits.audit),
      before: id.optional().describe('only entries older than this one'),
    }),
    output: z.object({ entries: z.array(auditEntry) }),
    run: async ({ sql }, { limit, before }) => ({ entries: await listAudit(sql, limit, before) }),
  }),
}
