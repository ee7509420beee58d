import { z } from 'zod'
import { parseDuration } from '../domain/duration.ts'
import { portfolioKinds } from '../domain/portfolio.ts'
import { editPortfolio, runNow } from '../portfolios/edit-portfolio.ts'
import { portfolioOrRefuse } from '../portfolios/keep-portfolio.ts'
import { forecastTerms, portfolioLine, toPortfolioView } from '../views/portfolio.ts'
import type { Context } from './context.ts'
import { purpose } from './fields.ts'
import { defineOperation } from './operation.ts'

const portfolio = z.string().trim().min(1).max(80).describe('its name')

const documents = z.array(z.string().trim().min(1).max(30)).max(1_000)

const shown = async ({ sql, settings, clock }: Context, name: string) =>
  toPortfolioView(sql, await portfolioOrRefuse(sql, name), forecastTerms(settings, clock()))

export const portfolioOperations = {
  run: defineOperation({
    name: 'runPortfolio',
    summary: 'Makes the next run of a portfolio due now; a worker starts it within a minute',
    role: 'ops',
    route: 'POST /portfolios/{portfolio}/run',
    input: z.strictObject({ portfolio }),
    output: portfolioLine,
    async run(context, input) {
      const { name } = await runNow(context.sql, input.portfolio, { by: context.by, now: context.clock() })
      return shown(context, name)
    },
  }),
  edit: defineOperation({
    name: 'editPortfolio',
    summary:
      'Changes the interval, the kind, the purpose or the list of a portfolio; after another kind the next run is a baseline',
    role: 'ops',
    route: 'POST /portfolios/{portfolio}/edit',
    input: z.strictObject({
      portfolio,
      every: z
        .string()
        .regex(/^\d{1,4}[hd]$/, 'expected a span such as 30d')
        .optional()
        .describe('the interval, such as 30d'),
      kind: z.enum(portfolioKinds).optional().describe('the kind of look-up'),
      purpose,
      add: documents.optional().describe('documents to add, separated by commas'),
      drop: documents.optional().describe('documents to remove, separated by commas'),
    }),
    output: portfolioLine,
    async run(context, { portfolio: given, every, ...edit }) {
      const change = { ...edit, ...(every && { everyMs: parseDuration(every) }) }
      const { name } = await editPortfolio(context.sql, given, change, { by: context.by, now: context.clock() })
      return shown(context, name)
    },
  }),
}
