import { z } from 'zod'
import { purposeFor } from '../batches/submit.ts'
import { parseDuration } from '../domain/duration.ts'
import { portfolioKinds } from '../domain/portfolio.ts'
import {
  addPortfolio,
  editPortfolio,
  pauseRuns,
  portfolioOrRefuse,
  removePortfolio,
  resumeRuns,
  runNow,
  syncPortfolio,
  whileStored,
} from '../portfolios/keep-portfolio.ts'
import type { Database } from '../store/connect.ts'
import { listPortfolios, type Portfolio } from '../store/portfolios/portfolios.ts'
import { limits } from '../views/fields.ts'
import {
  listRuns,
  portfolioLine,
  portfolioList,
  portfolioRun,
  toPortfolioListView,
  toPortfolioView,
} from '../views/portfolio.ts'
import { choiceIn, organization, purposeIn, readOptionFields, servedAccount, whyFields } from './files.ts'
import { type Context, defineOperation, file, limitOf } from './operation.ts'

const portfolio = z.string().trim().min(1).max(80).describe('its name')

const documents = z.array(z.string().trim().min(1).max(30)).max(1_000)

const shown = async ({ sql, settings, clock }: Context, name: string) =>
  toPortfolioView(sql, await portfolioOrRefuse(sql, name), { ...settings, now: clock() })

type Steered<Done extends string> = { name: string } & Record<Done, true>

/** An action on a portfolio; the key of the action is true. */
const steering = <Done extends 'paused' | 'resumed' | 'removed'>(
  verb: 'pause' | 'resume' | 'remove',
  done: Done,
  summary: string,
  steer: (sql: Database, name: string, who: { by: string; now: Date }) => Promise<Portfolio>,
) =>
  defineOperation(`${verb}Portfolio`, 'ops', `POST /portfolios/{portfolio}/${verb}`, {
    summary,
    input: z.object({ portfolio }),
    output: z.object({ name: z.string(), [done]: z.literal(true) }) as unknown as z.ZodType<Steered<Done>>,
    async run({ sql, by, clock }, { portfolio }) {
      const { name } = await steer(sql, portfolio, { by, now: clock() })
      return { name, [done]: true } as Steered<Done>
    },
  })

export const portfolioOperations = {
  list: defineOperation('listPortfolios', 'analyst', 'GET /portfolios', {
    summary: 'The portfolios, and what they cost this month',
    output: z.object({ portfolios: z.array(portfolioLine) }),
    async run({ sql, settings, clock }) {
      const terms = { ...settings, now: clock() }
      const all = await listPortfolios(sql)
      return { portfolios: await Promise.all(all.map((each) => toPortfolioView(sql, each, terms))) }
    },
  }),
  read: defineOperation('readPortfolio', 'analyst', 'GET /portfolios/{portfolio}', {
    summary: 'One portfolio: its last runs, their cost, and the forecast for the month',
    input: z.object({ portfolio, limit: limitOf(limits.portfolioRuns).describe('how many runs to show') }),
    output: portfolioLine.extend({ lastRuns: z.array(portfolioRun) }),
    async run({ sql, settings, clock }, { portfolio: name, limit }) {
      const portfolio = await portfolioOrRefuse(sql, name)
      const line = await toPortfolioView(sql, portfolio, { ...settings, now: clock() })
      return { ...line, lastRuns: await listRuns(sql, portfolio, { prices: settings.budget.unitPrice, limit }) }
    },
  }),
  add: defineOperation('addPortfolio', 'ops', 'POST /portfolios', {
    summary:
      'Makes a portfolio from a file; its first run is due at once. Fields before the file: name, kind, every (such as 30d), organization, column (several), sheet, headerLine (0: no header), documentType',
    input: z.object({
      name: z.string().trim().describe('its name'),
      kind: z
        .enum(portfolioKinds)
        .default('analysis')
        .describe(`what to look up: ${portfolioKinds.join(', ')}`),
      every: z
        .string('expected the interval between runs, such as 30d')
        .trim()
        .regex(/^\d{1,8}(ms|s|m|h|d)?$/, 'portfolio_every')
        .describe('interval between runs, such as 30d (required)'),
      organization,
      ...whyFields,
      ...readOptionFields,
      file,
    }),
    output: portfolioLine.extend({ listed: portfolioList }),
    async run(context, { name, kind, every, organization, file, ...input }) {
      const { sql, settings, by, clock } = context
      const list = {
        ...{ name, kind, choice: choiceIn(input) },
        // A bare number is days.
        everyMs: parseDuration(/\d$/.test(every) ? `${every}d` : every),
        organizationId: servedAccount(context.accounts, organization).organizationId,
        purpose: purposeFor(settings.purpose, purposeIn(input)),
      }
      const who = { by, now: clock() }
      const listed = await whileStored(sql, file.bytes, (open) => addPortfolio(sql, { ...list, open }, who))
      return { ...(await shown(context, name)), listed: toPortfolioListView(listed) }
    },
  }),
  sync: defineOperation('syncPortfolio', 'ops', 'POST /portfolios/{portfolio}/sync?dryRun', {
    summary:
      'Replaces the list of a portfolio and returns the documents added and removed; with dryRun it changes nothing',
    input: z.object({
      portfolio,
      dryRun: z.boolean().default(false).describe('show what would be added and removed'),
      ...readOptionFields,
      file,
    }),
    output: z.object({
      name: z.string(),
      dryRun: z.boolean(),
      ...portfolioList.shape,
      month: portfolioLine.shape.month,
    }),
    async run(context, { portfolio, dryRun, file, ...input }) {
      const { sql, by, clock } = context
      const { name } = await portfolioOrRefuse(sql, portfolio)
      const list = { name, choice: choiceIn(input), only: dryRun ? ('compare' as const) : undefined }
      const who = { by, now: clock() }
      const listed = await whileStored(sql, file.bytes, (open) => syncPortfolio(sql, { ...list, open }, who))
      return { name, dryRun, ...toPortfolioListView(listed), month: (await shown(context, name)).month }
    },
  }),
  pause: steering('pause', 'paused', 'Starts no run until it is resumed', pauseRuns),
  resume: steering('resume', 'resumed', 'Resumes a paused portfolio', resumeRuns),
  remove: steering('remove', 'removed', 'Deletes the list; batches and reports of its runs stay', removePortfolio),
  run: defineOperation('runPortfolio', 'ops', 'POST /portfolios/{portfolio}/run', {
    summary: 'Makes the next run of a portfolio due now; a worker starts it within a minute',
    input: z.strictObject({ portfolio }),
    output: portfolioLine,
    async run(context, input) {
      const { name } = await runNow(context.sql, input.portfolio, { by: context.by, now: context.clock() })
      return shown(context, name)
    },
  }),
  edit: defineOperation('editPortfolio', 'ops', 'POST /portfolios/{portfolio}/edit', {
    summary:
      'Changes the interval, the kind, the purpose or the list of a portfolio; after another kind the next run is a baseline',
    input: z.strictObject({
      portfolio,
      every: z
        .string()
        .regex(/^\d{1,4}[hd]$/, 'expected a span such as 30d')
        .optional()
        .describe('the interval, such as 30d'),
      kind: z.enum(portfolioKinds).optional().describe('the kind of look-up'),
      ...whyFields,
      add: documents.optional().describe('documents to add, separated by commas'),
      drop: documents.optional().describe('documents to remove, separated by commas'),
    }),
    output: portfolioLine,
    async run(context, { portfolio: given, every, legalBasis, purpose, ...edit }) {
      const why = legalBasis || purpose !== undefined ? purposeIn({ legalBasis, purpose }) : undefined
      const change = { ...edit, purpose: why, ...(every && { everyMs: parseDuration(every) }) }
      const { name } = await editPortfolio(context.sql, given, { by: context.by, now: context.clock() }, change)
      return shown(context, name)
    },
  }),
}
