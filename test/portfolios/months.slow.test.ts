import { expect, test } from 'vitest'
import { takeRunFurther } from '../../src/portfolios/run-portfolio.ts'
import { triggerPortfolios } from '../../src/schedule/start-schedules.ts'
import { readSweep, type Sweep } from '../../src/store/radars/sweeps.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { liveMonths, month } from './live-months.ts'

test('differences applied to a report give the report of the next month, over 24 months', async () => {
  // The clock advances within a month, so that delayed steps come due.
  let ahead = Date.parse('2026-01-05T12:00:00Z') - Date.now()
  const clock = () => new Date(Date.now() + ahead)
  await using t = await setup({ clock })
  await liveMonths({
    ...t,
    clock,
    turn() {
      ahead += month
    },
    run: (affordable) => runDue(t, affordable),
  })
})

/** Several workers start runs at once, and the queue and the test work on the end of the run at once. */
const runDue = async (t: Setup, affordable: number | null): Promise<Sweep> => {
  const { sql, tools } = t
  const begun: bigint[] = []
  const trigger = {
    sql,
    clock: tools.clock,
    log: tools.log,
    enqueue: async (_: unknown, { id }: { id: bigint }) => void begun.push(id),
  }
  // A portfolio whose last run is still being worked on is skipped, and the next attempt finds it.
  await until(async () => {
    await Promise.all([triggerPortfolios(trigger), triggerPortfolios(trigger), triggerPortfolios(trigger)])
    return begun.length > 0
  })
  expect(begun).toHaveLength(1)
  const budget = { ...t.settings.budget, perBatch: affordable }
  const poor = { ...tools, settings: { ...t.settings, budget } }
  await Promise.all([takeRunFurther(poor, begun[0]!), takeRunFurther(poor, begun[0]!)])
  return until(async () => {
    await takeRunFurther(poor, begun[0]!)
    const sweep = await readSweep(sql, begun[0]!)
    return sweep?.finishedAt ? sweep : null
  })
}
