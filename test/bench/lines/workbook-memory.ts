import { exportWorkbookByVigia } from '../exports.ts'
import type { Line } from '../line.ts'

export const workbookMemory: Line = {
  name: 'workbook-memory',
  what: 'peak memory of a large workbook ÷ of a tenth of it',
  unit: 'MiB',
  goal: { atMost: 1.2 },

  async round(bench, round) {
    const small = await exportWorkbookByVigia(bench, 'small', round)
    const large = await exportWorkbookByVigia(bench, 'large', round)
    return { limit: small.peakMiB, vigia: large.peakMiB }
  },
}
