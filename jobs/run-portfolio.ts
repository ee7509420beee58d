import { takeRunFurther } from '../src/portfolios/run-portfolio.ts'
import { sweepQueues } from '../src/queue/queues.ts'
import { job } from './tools.ts'

/**
 * Runs a portfolio: asks about its documents again, as an ordinary batch, and reports what changed since the last run.
 *
 * The job runs twice: when the portfolio is due it submits the batch, and when the report of the batch is written it
 * ends the run. Either may be repeated, because the rows show what is done.
 */
export const runPortfolio = job({
  ...sweepQueues.portfolio,
  retries: 1_000,

  work({ sweepId }: { sweepId: string }, { signal, ...tools }) {
    return takeRunFurther(tools, BigInt(sweepId), signal)
  },
})
