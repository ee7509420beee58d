import { importComplete } from '../imports.ts'
import type { Line } from '../line.ts'
import { peopleFile } from '../people-file.ts'
import { peopleWorkbook } from '../people-workbook.ts'

export const workbookImport: Line = {
  name: 'workbook import',
  what: 'a file submitted and imported as a workbook ÷ as CSV',
  unit: 'rows/s',
  goal: { atLeast: 0.3 },

  async round(bench) {
    const { workbookRows: rows } = bench.sizes
    const limit = await importComplete(bench, await peopleFile(bench, rows), rows)
    return { limit, vigia: await importComplete(bench, await peopleWorkbook(bench, rows), rows) }
  },
}
