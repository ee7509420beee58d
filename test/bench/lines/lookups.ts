import type { Line } from '../line.ts'
import { lookUpByHand, lookUpByVigia } from '../lookup-runs.ts'

const open = 50

export const lookups: Line = {
  name: 'lookups',
  what: 'look-ups at zero latency ÷ a hand-written loop, 50 open',
  unit: 'look-ups/s',
  goal: { atLeast: 0.65 },

  async round(bench) {
    const documents = bench.sizes.lookups
    const limit = await lookUpByHand(bench, documents, open)
    const vigia = await lookUpByVigia(bench, { documents, open, workers: 1 })
    return { limit, vigia }
  },
}
