import { z } from 'zod'
import { parseDuration } from '../domain/duration.ts'
import { portfolioKinds } from '../domain/portfolio.ts'
import { editPortfolio, runNow } from '../portfolios/edit-portfolio.ts'
import { pauseRuns, portfolioOrRefuse, removePortfolio, resumeRuns } from '../portfolios/keep-portfolio.ts'
import type { Database } from '../store/connect.ts'
import { listPortfolios, type Portfolio } from '../store/portfolios/portfolios.ts'
import { limits } from '../views/limits.ts'
import { forecastTerms, listRuns, portfolioLine, portfolioRun, toPortfolioView } from '../views/portfolio.ts'
import type { Context } from './context.ts'
import { limitOf, purpose } from './fields.ts'
import { defineOperation } from './operation.ts'

const portfolio = z.string().trim().min(1).max(80).describe('its name')

const documents = z.array(z.string().trim().min(1).max(30)).max(1_000)

const shown = async ({ sql, settings, clock }: Context, name: string) =>
  toPortfolioView(sql, await portfolioOrRefuse(sql, name), forecastTerms(settings, clock()))

type Steered<Done extends string> = { name: string } & Record<Done, true>

/** An action on a portfolio; the key of the action is true. */
const steering = <Done extends 'paused' | 'resumed' | 'removed'>(
  verb: 'pause' | 'resume' | 'remove',
  done: Done,
  summary: string,
  steer: (sql: Database, name: string, who: { by: string; now: Date }) => Promise<Portfolio>,
) =>
  defineOperation({
    name: `${verb}Portfolio`,
    summary,
    role: 'ops',
    route: `POST /portfolios/{portfolio}/${verb}`,
    input: z.object({ portfolio }),
    output: z.object({ name: z.string(), [done]: z.literal(true) }) as unknown as z.ZodType<Steered<Done>>,
    async run({ sql, by, clock }, { portfolio }) {
      const { name } = await steer(sql, portfolio, { by, now: clock() })
      return { name, [done]: true } as Steered<Done>
    },
  })

export const portfolioOperations = {
  list: defineOperation({
    name: 'listPortfolios',
    summary: 'The portfolios, and what they cost this month',
    role: 'analyst',
    route: 'GET /portfolios',
    input: z.object({}),
    output: z.object({ portfolios: z.array(portfolioLine) }),
    async run({ sql, settings, clock }) {
      const terms = forecastTerms(settings, clock())
      const all = await listPortfolios(sql)
      return { portfolios: await Promise.all(all.map((each) => toPortfolioView(sql, each, terms))) }
    },
  }),
  read: defineOperation({
    name: 'readPortfolio',
    summary: 'One portfolio: its last runs, their cost, and the forecast for the month',
    role: 'analyst',
    route: 'GET /portfolios/{portfolio}',
    input: z.object({ portfolio, limit: limitOf(limits.portfolioRuns).describe('how many runs to show') }),
    output: portfolioLine.extend({ lastRuns: z.array(portfolioRun) }),
    async run({ sql, settings, clock }, { portfolio: name, limit }) {
      const portfolio = await portfolioOrRefuse(sql, name)
      const line = await toPortfolioView(sql, portfolio, forecastTerms(settings, clock()))
      return { ...line, lastRuns: await listRuns(sql, portfolio, { prices: settings.budget.unitPrice, limit }) }
    },
  }),
  pause: steering('pause', 'paused', 'Starts no run until it is resumed', pauseRuns),
  resume: steering('resume', 'resumed', 'Resumes a paused portfolio', resumeRuns),
  remove: steering('remove', 'removed', 'Deletes the list; batches and reports of its runs stay', removePortfolio),
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
