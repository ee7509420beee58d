import { apart } from '../apart.ts'
import type { Line } from '../line.ts'
import { lookUpByVigia } from '../lookup-runs.ts'
import { startRegistry } from '../registry-process.ts'

const open = 64
const scenario = { latency: { all: { ms: 50, jitter: 20 } } }

export const lookupsLatency: Line = {
  name: 'lookups-latency',
  what: 'look-ups at 50 ± 20 ms, 64 open ÷ a bare undici loop',
  unit: 'look-ups/s',
  goal: { atLeast: 0.97 },

  async round(bench) {
    const documents = bench.sizes.slowLookups
    const limit = await bareLookups(documents)
    const vigia = await lookUpByVigia(bench, { documents, open, scenario, workers: 1 })
    return { limit, vigia }
  },
}

const bareLookups = async (documents: number): Promise<number> => {
  await using registry = await startRegistry(scenario)
  const { seconds } = await apart<{ seconds: number }>('bare-calls', { registryUrl: registry.url, open, documents })
  return documents / seconds
}
