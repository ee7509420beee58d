import type { Bench } from '../bench.ts'
import type { Line } from '../line.ts'
import { processorTimeOf } from '../lookup-runs.ts'

/** The same total of open calls for any number of workers: the registry is as fast for one worker as for eight. */
const openInAll = 64
const scenario = { latency: { all: 50 } }

/** The three lines of a round share the cost with one worker. */
const costWith = (bench: Bench, workers: number, round: number): Promise<number> =>
  bench.once(`cost with ${workers}, round ${round}`, () =>
    processorTimeOf(bench, { documents: bench.sizes.fleetLookups, scenario, workers, open: openInAll / workers }),
  )

const fleetCost = (workers: number): Line => ({
  name: `fleet-cost-${workers}`,
  what: `the database’s processor time per look-up with ${workers} workers ÷ with one, as many calls open in all`,
  unit: 'µs',
  goal: { atMost: 1.2 },

  round: async (bench, round) => ({
    limit: await costWith(bench, 1, round),
    vigia: await costWith(bench, workers, round),
  }),
})

export const fleetCosts = [2, 4, 8].map(fleetCost)
