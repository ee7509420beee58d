import { takeRunFurther } from '../src/portfolios/run-portfolio.ts'
import { sweepQueues } from '../src/queue/queues.ts'
import { job } from './tools.ts'

/**
 * Asks about every document of a portfolio again, as an ordinary batch, and says what differs from the time before.
 *
 * It runs twice: when the portfolio is due it submits the batch, and when the report of that is written it ends the run.
 * Either may be done again; what is done is found in the rows.
 */
export const runPortfolio = job({
  ...sweepQueues.portfolio,
  retries: 1_000,

  work({ sweepId }: { sweepId: string }, { signal, ...tools }) {
    return takeRunFurther(tools, BigInt(sweepId), signal)
  },
})
