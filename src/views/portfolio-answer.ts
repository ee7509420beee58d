import { z } from 'zod'
import type { Portfolio } from '../store/portfolios/portfolios.ts'
import { type PortfolioLine, portfolioLine } from './portfolio.ts'
import { type PortfolioList, portfolioList, toPortfolioListView } from './portfolio-list.ts'

/** What is said to whoever made a portfolio of a file. */
export const addedPortfolio = portfolioLine.extend({ listed: portfolioList })

/** `listed` is told of documents that are whole, here and below. */
export const toAddedPortfolioView = (line: PortfolioLine, listed: PortfolioList): z.output<typeof addedPortfolio> => ({
  ...line,
  listed: toPortfolioListView(listed),
})

/** What is said to whoever gave it another list, or asked what that would change. */
export const syncedPortfolio = z.object({
  name: z.string(),
  dryRun: z.boolean(),
  ...portfolioList.shape,
  month: portfolioLine.shape.month,
})

export const toSyncedPortfolioView = (
  { name, month }: PortfolioLine,
  { dryRun, listed }: { dryRun: boolean; listed: PortfolioList },
): z.output<typeof syncedPortfolio> => ({ name, dryRun, ...toPortfolioListView(listed), month })

/** What is said to whoever steered it; the word that was done is true. */
export const steeredPortfolio = {
  pause: z.object({ name: z.string(), paused: z.literal(true) }),
  resume: z.object({ name: z.string(), resumed: z.literal(true) }),
  remove: z.object({ name: z.string(), removed: z.literal(true) }),
}
export type PortfolioVerb = keyof typeof steeredPortfolio

export const toSteeredPortfolioView = ({ name }: Pick<Portfolio, 'name'>, verb: PortfolioVerb) =>
  ({
    pause: { name, paused: true },
    resume: { name, resumed: true },
    remove: { name, removed: true },
  })[verb]
