import { exportByLimit, exportByVigia } from '../exports.ts'
import type { Line } from '../line.ts'

export const exportRows: Line = {
  name: 'export',
  what: 'export ÷ COPY (…) TO STDOUT of the same columns',
  unit: 'rows/s',
  goal: { atLeast: 0.6 },

  async round(bench, round) {
    const { rows } = bench.sizes
    const limit = await exportByLimit(bench)
    const vigia = await exportByVigia(bench, 'large', round)
    return { limit: rows / limit.seconds, vigia: rows / vigia.seconds }
  },
}
