import { z } from 'zod'
import { portfolioOrRefuse } from '../../portfolios/keep-portfolio.ts'
import { toPortfolioView } from '../../views/portfolio.ts'
import {
  addedPortfolio,
  syncedPortfolio,
  toAddedPortfolioView,
  toSyncedPortfolioView,
} from '../../views/portfolio-answer.ts'
import { forecastTermsOf, portfolioIn, receiveList, receivePortfolio } from '../actions/portfolio.ts'
import { apiRoute } from './api-route.ts'
import { listFields, portfolioFields } from './upload-fields.ts'

export const portfolioRoutes = [
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
]
