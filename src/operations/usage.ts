import { z } from 'zod'
import { localDay } from '../domain/calendar.ts'
import { limits } from '../views/fields.ts'
import {
  contradiction,
  listContradictions,
  listUsage,
  plansRead,
  readPlans,
  readToday,
  usageDay,
  usageToday,
} from '../views/usage.ts'
import { defineOperation, limitOf } from './operation.ts'

export const usageOperations = {
  read: defineOperation('readUsage', 'analyst', 'GET /usage', {
    summary: 'Spending today against the budget, and the registry’s charges compared with our records',
    input: z.object({ days: limitOf(limits.usageDays).describe('how many days back') }),
    output: z.object({
      today: usageToday.nullable().describe('null for an operator who is bound to some organizations'),
      days: z.array(usageDay),
      contradicted: z
        .array(contradiction)
        .describe('bought although the organization owned an analysis that the list did not show'),
    }),
    async run({ sql, settings, clock, unmasked }, { days }) {
      const now = clock()
      const since = localDay(new Date(now.getTime() - days * 86_400_000), settings.timezone)
      const freshMs = settings.forKind.analysis.freshness
      return {
        today: await readToday(sql, now, settings),
        days: await listUsage(sql, { since, prices: settings.budget.unitPrice, unmasked }),
        contradicted: await listContradictions(sql, { limit: 100, freshMs, unmasked }),
      }
    },
  }),
  plans: defineOperation('readPlans', 'analyst', 'GET /plans', {
    summary: 'What each plan consumed by the last usage sweep, and what is left where the registry’s list shows it',
    output: z.object({ plans: plansRead.nullable().describe('null before the first usage sweep') }),
    run: async ({ sql }) => ({ plans: await readPlans(sql) }),
  }),
}
