import type { Line } from '../line.ts'
import { costOfAnalysis } from '../lookup-cost.ts'

export const walBytes: Line = {
  name: 'wal-bytes',
  what: 'kB of write-ahead log per analysis, its import included',
  unit: 'kB',
  goal: { atMost: 2.2 },
  held: { atMost: 3.3 },

  round: async (bench, round) => ({ limit: 1, vigia: (await costOfAnalysis(bench, round)).walBytes / 1_000 }),
}
