import type { Line } from '../line.ts'
import { costOfAnalysis } from '../lookup-cost.ts'

export const rowVersions: Line = {
  name: 'row-versions',
  what: 'updates of a look-up from its question to its answer',
  unit: 'updates',
  goal: { atMost: 2 },
  held: { atMost: 2.02 },

  round: async (bench, round) => ({ limit: 1, vigia: (await costOfAnalysis(bench, round)).updates }),
}
