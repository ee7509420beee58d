import { z } from 'zod'
import { portfolioOperations } from '../../operations/portfolios.ts'
import { pauseRuns, portfolioOrRefuse, removePortfolio, resumeRuns } from '../../portfolios/keep-portfolio.ts'
import { listPortfolios } from '../../store/portfolios/portfolios.ts'
import { limits } from '../../views/limits.ts'
import { listRuns, portfolioLine, portfolioRun, toPortfolioView } from '../../views/portfolio.ts'
import {
  addedPortfolio,
  steeredPortfolio,
  syncedPortfolio,
  toAddedPortfolioView,
  toSteeredPortfolioView,
  toSyncedPortfolioView,
} from '../../views/portfolio-answer.ts'
import { forecastTermsOf, portfolioIn, receiveList, receivePortfolio } from '../actions/portfolio.ts'
import { apiRoute, operationRoute, upTo } from './api-route.ts'
import { listFields, portfolioFields } from './upload-fields.ts'

const actions = { pause: pauseRuns, resume: resumeRuns, remove: removePortfolio }
const summaries = {
  pause: 'Starts no run until it is resumed',
  resume: 'Resumes a paused portfolio',
  remove: 'Deletes the list; batches and reports of its runs stay',
}

export const portfolioRoutes = [
  apiRoute({
    method: 'GET',
    path: '/portfolios',
    role: 'analyst',
    name: 'listPortfolios',
    summary: 'The portfolios, and what they cost this month',
    reply: z.object({ portfolios: z.array(portfolioLine) }),
    async answer({ site }) {
      const { sql } = site.engine
      const all = await listPortfolios(sql)
      return { portfolios: await Promise.all(all.map((each) => toPortfolioView(sql, each, forecastTermsOf(site)))) }
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/portfolios',
    role: 'ops',
    name: 'addPortfolio',
    summary:
      'Makes a portfolio from a file; its first run is due at once. Fields before the file: name, kind, every (such as 30d), organization, column (several), sheet, headerLine (0: no header), documentType',
    upload: portfolioFields,
    reply: addedPortfolio,
    async answer({ site, request }) {
      const { sql } = site.engine
      const { name, listed } = await receivePortfolio(site, request)
      const line = await toPortfolioView(sql, await portfolioOrRefuse(sql, name), forecastTermsOf(site))
      return toAddedPortfolioView(line, listed)
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/portfolios/{portfolio}',
    role: 'analyst',
    name: 'readPortfolio',
    summary: 'One portfolio: its last runs, their cost, and the forecast for the month',
    query: z.object({ limit: upTo(limits.portfolioRuns) }),
    reply: portfolioLine.extend({ lastRuns: z.array(portfolioRun) }),
    async answer({ site, params, query }) {
      const { sql } = site.engine
      const portfolio = await portfolioIn(site, params)
      const line = await toPortfolioView(sql, portfolio, forecastTermsOf(site))
      const prices = site.settings.budget.unitPrice
      return { ...line, lastRuns: await listRuns(sql, portfolio, { prices, limit: query.limit }) }
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/portfolios/{portfolio}/sync',
    role: 'ops',
    name: 'syncPortfolio',
    summary:
      'Replaces the list of a portfolio and returns the documents added and removed; with dryRun it changes nothing',
    query: z.object({ dryRun: z.stringbool().default(false) }),
    upload: listFields,
    reply: syncedPortfolio,
    async answer({ site, params, query: { dryRun }, request }) {
      const portfolio = await portfolioIn(site, params)
      const listed = await receiveList(site, request, portfolio, dryRun ? 'compare' : undefined)
      const line = await toPortfolioView(site.engine.sql, portfolio, forecastTermsOf(site))
      return toSyncedPortfolioView(line, { dryRun, listed })
    },
  }),
  ...(['pause', 'resume', 'remove'] as const).map((action) =>
    apiRoute({
      method: 'POST',
      path: `/portfolios/{portfolio}/${action}`,
      role: 'ops',
      name: `${action}Portfolio`,
      summary: summaries[action],
      reply: steeredPortfolio[action],
      async answer({ site, params, by }) {
        const { sql, clock } = site.engine
        const { name } = await portfolioIn(site, params)
        return toSteeredPortfolioView(await actions[action](sql, name, { by, now: clock() }), action)
      },
    }),
  ),
  ...Object.values(portfolioOperations).map(operationRoute),
]
