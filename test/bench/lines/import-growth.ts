import { importByVigia } from '../imports.ts'
import type { Line } from '../line.ts'

export const importGrowth: Line = {
  name: 'import-growth',
  what: 'cost per row of a large file ÷ of a small one',
  unit: 'µs/row',
  goal: { atMost: 1.2 },

  async round(bench, round) {
    const few = await importByVigia(bench, bench.sizes.fewRows, round)
    const many = await importByVigia(bench, bench.sizes.rows, round)
    return { limit: 1e6 / few.rowsPerSecond, vigia: 1e6 / many.rowsPerSecond }
  },
}
