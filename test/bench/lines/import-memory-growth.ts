import { importByVigia } from '../imports.ts'
import type { Line } from '../line.ts'

export const importMemoryGrowth: Line = {
  name: 'import-memory-growth',
  what: 'peak memory with a large file ÷ with a tenth of it',
  unit: 'MiB',
  goal: { atMost: 1.2 },

  async round(bench, round) {
    const few = await importByVigia(bench, bench.sizes.fewerRows, round)
    const many = await importByVigia(bench, bench.sizes.rows, round)
    return { limit: few.peakMiB, vigia: many.peakMiB }
  },
}
