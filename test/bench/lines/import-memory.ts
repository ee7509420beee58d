import { importByVigia } from '../imports.ts'
import type { Line } from '../line.ts'

export const importMemory: Line = {
  name: 'import-memory',
  what: 'peak memory of an importing worker ÷ 256 MiB',
  unit: 'MiB',
  goal: { atMost: 1 },

  async round(bench, round) {
    const { peakMiB } = await importByVigia(bench, bench.sizes.rows, round)
    return { limit: 256, vigia: peakMiB }
  },
}
