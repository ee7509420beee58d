import { z } from 'zod'
import { parseDuration } from '../../domain/duration.ts'
import { everyRule } from '../../monitoring/keep-rules.ts'
import { replayRules } from '../../monitoring/replay-rules.ts'
import { alert, listAlerts } from '../../views/alert.ts'
import { acknowledgement } from '../../views/change.ts'
import { limits } from '../../views/limits.ts'
import { backTest, rule, toBackTestView, toRuleView } from '../../views/rule.ts'
import { recordAcknowledgement } from '../actions/acknowledge.ts'
import { idIn } from '../address.ts'
import { apiRoute, upTo } from './api-route.ts'

const note = z.string().trim().min(1).max(500)

export const ruleRoutes = [
  apiRoute({
    method: 'GET',
    path: '/rules',
    role: 'analyst',
    name: 'listRules',
    summary: 'The rules: which changes send an alert, and their severity',
    reply: z.object({ rules: z.array(rule) }),
    answer: async ({ site: { engine, settings } }) => ({
      rules: (await everyRule(engine.sql, settings.rules)).map(toRuleView),
    }),
  }),
  apiRoute({
    method: 'GET',
    path: '/rules/test',
    role: 'analyst',
    name: 'testRules',
    summary: 'The alerts that the rules, including those switched off, would have sent on the last nights',
    query: z.object({ nights: upTo(limits.backTestNights) }),
    reply: backTest,
    async answer({ site: { engine, settings }, query }) {
      const rules = (await everyRule(engine.sql, settings.rules)).map(({ rule: each }) => each)
      return toBackTestView(await replayRules(engine.sql, rules, query.nights))
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/alerts',
    role: 'ops',
    name: 'listAlerts',
    summary: 'Notifications by recipient, newest first, with those not delivered yet',
    query: z.object({ limit: upTo(limits.alerts) }),
    reply: z.object({ alerts: z.array(alert) }),
    answer: async ({ site, query }) => ({ alerts: await listAlerts(site.engine.sql, query.limit) }),
  }),
  apiRoute({
    method: 'POST',
    path: '/radars/changes/{change}/acknowledge',
    role: 'ops',
    name: 'acknowledgeChange',
    summary: 'Acknowledges a change',
    body: z.strictObject({ note }),
    reply: acknowledgement,
    answer: ({ site, by, params, body }) =>
      recordAcknowledgement(site, idIn(params, 'change'), { by, note: body.note, forMs: null }),
  }),
  apiRoute({
    method: 'POST',
    path: '/radars/changes/{change}/snooze',
    role: 'ops',
    name: 'snoozeChange',
    summary: 'Snoozes a change: no alert about this figure of the document for a while, unless it gets worse',
    body: z.strictObject({
      note,
      for: z
        .string()
        .regex(/^\d{1,4}(h|d)$/, 'expected a span such as 7d')
        .default('7d'),
    }),
    reply: acknowledgement,
    answer: ({ site, by, params, body }) =>
      recordAcknowledgement(site, idIn(params, 'change'), { by, note: body.note, forMs: parseDuration(body.for) }),
  }),
]
