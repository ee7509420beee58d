import { z } from 'zod'
import { everyRule } from '../../monitoring/keep-rules.ts'
import { replayRules } from '../../monitoring/replay-rules.ts'
import { changeOperations } from '../../operations/changes.ts'
import { limits } from '../../views/limits.ts'
import { backTest, rule, toBackTestView, toRuleView } from '../../views/rule.ts'
import { apiRoute, operationRoute, upTo } from './api-route.ts'

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
  ...Object.values(changeOperations).map(operationRoute),
]
