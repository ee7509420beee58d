import type { Line } from '../line.ts'
import { smallFile } from '../lookup-runs.ts'

const scenario = { latency: { all: { ms: 50, jitter: 20 } } }

export const smallAmongLarge: Line = {
  name: 'small-among-large',
  what: 'a small file, submitted while a large one is looked up ÷ alone, at 50 ± 20 ms and 64 open',
  unit: 's',
  goal: { atMost: 2 },

  async round(bench) {
    const run = { documents: bench.sizes.rows, scenario, workers: 1, open: 64 }
    const limit = await smallFile(bench, run, bench.sizes.smallLookups, true)
    const vigia = await smallFile(bench, run, bench.sizes.smallLookups, false)
    return { limit, vigia }
  },
}
