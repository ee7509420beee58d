import { importFromInbox } from '../imports.ts'
import type { Line } from '../line.ts'
import { peopleWorkbook } from '../people-workbook.ts'

export const workbookImportMemory: Line = {
  name: 'workbook-import-memory',
  what: 'peak memory of a worker that takes a large workbook from its inbox ÷ 256 MiB',
  unit: 'MiB',
  goal: { atMost: 1 },

  async round(bench) {
    const file = await peopleWorkbook(bench, bench.sizes.rows)
    return { limit: 256, vigia: await importFromInbox(bench, file) }
  },
}
