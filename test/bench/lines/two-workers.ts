import type { Line } from '../line.ts'
import { lookUpByVigia } from '../lookup-runs.ts'

const open = 32
const scenario = { latency: { all: 50 } }

export const twoWorkers: Line = {
  name: 'two-workers',
  what: 'two workers ÷ one, at 50 ms and 32 open each',
  unit: 'look-ups/s',
  goal: { atLeast: 1.9 },

  async round(bench) {
    const documents = bench.sizes.slowLookups
    const limit = await lookUpByVigia(bench, { documents, open, scenario, workers: 1 })
    const vigia = await lookUpByVigia(bench, { documents, open, scenario, workers: 2 })
    return { limit, vigia }
  },
}
