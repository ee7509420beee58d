import { exportByVigia } from '../exports.ts'
import type { Line } from '../line.ts'

export const exportMemory: Line = {
  name: 'export-memory',
  what: 'peak memory of a large export ÷ of a tenth of it',
  unit: 'MiB',
  goal: { atMost: 1.2 },

  async round(bench, round) {
    const small = await exportByVigia(bench, 'small', round)
    const large = await exportByVigia(bench, 'large', round)
    return { limit: small.peakMiB, vigia: large.peakMiB }
  },
}
