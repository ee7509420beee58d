import { importByLimit, importByVigia } from '../imports.ts'
import type { Line } from '../line.ts'

export const importRows: Line = {
  name: 'import',
  what: 'import ÷ csv-parse → COPY into the same tables',
  unit: 'rows/s',
  goal: { atLeast: 0.75 },

  async round(bench, round) {
    const limit = await importByLimit(bench, bench.sizes.rows)
    const { rowsPerSecond } = await importByVigia(bench, bench.sizes.rows, round)
    return { limit, vigia: rowsPerSecond }
  },
}
