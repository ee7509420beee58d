import type { Line } from '../line.ts'
import { costOfAnalysis } from '../lookup-cost.ts'

export const transactions: Line = {
  name: 'transactions',
  what: 'transactions per 100 look-ups, reads included',
  unit: 'transactions',
  goal: { atMost: 20 },

  round: async (bench) => ({ limit: 1, vigia: (await costOfAnalysis(bench)).transactions * 100 }),
}
