import type { Bench } from '../bench.ts'
import type { Line } from '../line.ts'
import { processorTimeOf } from '../lookup-runs.ts'

/** As many calls open in all, whoever makes them: the registry is as fast for one worker as for eight. */
const openInAll = 64
const scenario = { latency: { all: 50 } }

const costWith = (bench: Bench, workers: number): Promise<number> =>
  processorTimeOf(bench, { documents: bench.sizes.fleetLookups, scenario, workers, open: openInAll / workers })

const fleetCost = (workers: number): Line => ({
  name: `fleet-cost-${workers}`,
  what: `the database’s processor time per look-up with ${workers} workers ÷ with one, as many calls open in all`,
  unit: 'µs',
  goal: { atMost: 1.2 },

  round: async (bench, round) => ({
    limit: await bench.once(`fleet of one ${round}`, () => costWith(bench, 1)),
    vigia: await costWith(bench, workers),
  }),
})

export const fleetCosts: Line[] = [2, 4, 8].map(fleetCost)
