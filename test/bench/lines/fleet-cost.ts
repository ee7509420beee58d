import type { Bench } from '../bench.ts'
import type { Line } from '../line.ts'
import { processorTimeOf } from '../lookup-runs.ts'

/** As many calls open in all, whoever makes them: the registry is as fast for one worker as for eight. */
const openInAll = 64
const scenario = { latency: { all: 50 } }

const costWith = (bench: Bench, workers: number): Promise<number> =>
  processorTimeOf(bench, { documents: bench.sizes.fleetLookups, scenario, workers, open: openInAll / workers })

export const fleetCost: Line = {
  name: 'fleet-cost',
  what: 'the database’s processor time per look-up with eight workers ÷ with one, as many calls open in all',
  unit: 'µs',
  goal: { atMost: 1.2 },

  round: async (bench) => ({ limit: await costWith(bench, 1), vigia: await costWith(bench, 8) }),
}
