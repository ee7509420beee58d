import { exportByVigia, exportWorkbookByVigia } from '../exports.ts'
import type { Line } from '../line.ts'

export const workbookRows: Line = {
  name: 'workbook',
  what: 'report as a workbook ÷ as CSV, of the same rows',
  unit: 'rows/s',
  goal: { atLeast: 0.3 },

  async round(bench, round) {
    const { rows } = bench.sizes
    const csv = await exportByVigia(bench, 'large', round)
    const workbook = await exportWorkbookByVigia(bench, 'large', round)
    return { limit: rows / csv.seconds, vigia: rows / workbook.seconds }
  },
}
