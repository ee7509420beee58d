import { z } from 'zod'
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
