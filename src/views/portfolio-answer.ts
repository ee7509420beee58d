import { z } from 'zod'
import type { Portfolio } from '../store/portfolios/portfolios.ts'
import { type PortfolioLine, portfolioLine } from './portfolio.ts'
import { type PortfolioList, portfolioList, toPortfolioListView } from './portfolio-list.ts'

/** The response to a person who added a portfolio. */
export const addedPortfolio = portfolioLine.extend({ listed: portfolioList })

/** `listed` gets unmasked documents, here and below. */
export const toAddedPortfolioView = (line: PortfolioLine, listed: PortfolioList): z.output<typeof addedPortfolio> => ({
  ...line,
  listed: toPortfolioListView(listed),
})

/** The response to a person who replaced its list, or previewed that. */
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

/** The response to an action on a portfolio; the key of the action is true. */
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
