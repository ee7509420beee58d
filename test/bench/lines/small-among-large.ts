import type { Line } from '../line.ts'
import { smallAlone, smallAmong } from '../lookup-runs.ts'
import { peopleFile } from '../people-file.ts'

const scenario = { latency: { all: { ms: 50, jitter: 20 } } }

export const smallAmongLarge: Line = {
  name: 'small-among-large',
  what: 'a file of 200 people while a large one is under way ÷ alone, at 50 ± 20 ms and 64 open',
  unit: 's',
  goal: { atMost: 2 },

  async round(bench) {
    const { rows } = bench.sizes
    const [small, another] = [await peopleFile(bench, 200, rows), await peopleFile(bench, 200, rows + 200)]
    const run = { documents: rows, scenario, workers: 1, open: 64 }
    return { limit: await smallAlone(bench, run, small, another), vigia: await smallAmong(bench, run, small) }
  },
}
