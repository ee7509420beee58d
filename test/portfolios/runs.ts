import { expect } from 'vitest'
import type { PortfolioKind } from '../../src/domain/portfolio.ts'
import { enqueueSweep } from '../../src/monitoring/sweep.ts'
import { addPortfolio } from '../../src/portfolios/keep-portfolio.ts'
import { triggerPortfolios } from '../../src/schedule/start-schedules.ts'
import { listSweeps, type Sweep } from '../../src/store/radars/sweeps.ts'
import { csvOf } from '../support/documents.ts'
import { type Setup, type SetupOptions, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

/** A set-up whose clock a test moves on by days. */
export const setupAhead = async (options: SetupOptions = {}) => {
  let ahead = 0
  const t = await setup({ clock: () => new Date(Date.now() + ahead), ...options })
  return {
    ...t,
    pass(days: number) {
      ahead += days * 86_400_000
    },
  }
}

/** No change can be written until it is allowed again. */
export const refuseChanges = async ({ sql }: Setup) => {
  await sql`create function public.refuse() returns trigger language plpgsql as $$ begin raise 'broken by a test'; end $$`
  await sql`create trigger refuse before insert on vigia.change for each row execute function public.refuse()`
  return { allow: () => sql`drop trigger refuse on vigia.change` }
}

/** A portfolio that runs every thirty days: of some documents, or of a file as it is. */
export const addList = (t: Setup, name: string, list: string[] | string, kind: PortfolioKind = 'analysis') =>
  addPortfolio(
    t.sql,
    {
      name,
      kind,
      everyMs: 30 * 86_400_000,
      organizationId: t.sandbox.account.organizationId,
      async *open() {
        yield Buffer.from(typeof list === 'string' ? list : csvOf(list))
      },
    },
    { by: 'test', now: t.tools.clock() },
  )

/** Begins every run that is due, and returns how many. */
export const trigger = ({ sql, tools }: Setup): Promise<number> =>
  triggerPortfolios({
    sql,
    clock: tools.clock,
    log: tools.log,
    enqueue: (tx, sweep) => enqueueSweep(tools.boss, tx, sweep),
  })

/** Begins the run that is due, and waits for its end. A portfolio that the worker has just locked is begun by a later call. */
export const run = async (t: Setup): Promise<Sweep> => {
  expect(await until(() => trigger(t))).toBe(1)
  return until(async () => {
    const [sweep] = await listSweeps(t.sql, { name: 'portfolio', limit: 1 })
    return sweep?.state === 'done' ? sweep : null
  })
}

/** Lets a month pass for the portfolios: their next run is due, and no answer about their documents is fresh. */
export const ageByMonth = async ({ sql }: Setup): Promise<void> => {
  const month = sql`interval '31 days'`
  const listed = sql`(select document from vigia.portfolio_document)`
  await sql`
    update vigia.lookup set sending_at = sending_at - ${month}, adopted_at = adopted_at - ${month},
                            finished_at = finished_at - ${month}
     where question in ${listed}`
  await sql`update vigia.purchase set dated_from = dated_from - ${month}, dated_to = dated_to - ${month}
     where document in ${listed}`
  await sql`update vigia.sweep set started_at = started_at - ${month}, finished_at = finished_at - ${month} where name = 'portfolio'`
  await sql`update vigia.portfolio set due_at = due_at - ${month}`
}
