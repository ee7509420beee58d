import { claimDuePortfolios } from '../store/portfolios/runs.ts'
import { insertSweep } from '../store/radars/sweeps.ts'
import type { ScheduleTools } from './ring.ts'

/**
 * Begins a run of each portfolio whose time has come; gives how many.
 *
 * Like a bell, a ring decides nothing: whoever takes the row of a portfolio makes its run, in one transaction, and until
 * that run has ended it is not due again. A time that passed while every worker was down is made up once.
 */
export const ringPortfolios = ({ sql, clock, enqueue, log }: Omit<ScheduleTools, 'timezone'>): Promise<number> =>
  sql.begin(async (tx) => {
    const now = clock()
    const due = await claimDuePortfolios(tx, now)
    for (const { id: portfolioId, dueAt } of due) {
      const slot = `${portfolioId} ${dueAt.toISOString()}`
      const id = await insertSweep(tx, { name: 'portfolio', slot, trigger: 'schedule', now, portfolioId })
      if (!id) continue
      await enqueue(tx, { name: 'portfolio', id })
      log.info({ sweep: 'portfolio', portfolio: String(portfolioId), id: String(id) }, 'sweep begins')
    }
    return due.length
  })
