import { bareColumns, type Columns, findColumns } from '../csv/columns.ts'
import { detectDialect } from '../csv/detect-dialect.ts'
import type { Dialect } from '../csv/dialect.ts'
import { FileProblem } from '../csv/file-problem.ts'
import { openCsv } from '../csv/read.ts'
import type { Kind } from '../domain/kind.ts'

/** How a file is written and where its columns are; kept with the batch for import and export alike. */
export type Layout = { dialect: Dialect; columns: Columns; header: { start: number; end: number } | null }

/** Reads the layout of a file; a FileProblem says why it cannot be taken. The source is read twice. */
export const readLayout = async (open: () => AsyncIterable<Uint8Array>, kind: Kind): Promise<Layout> => {
  const dialect = await detectDialect(open())
  const csv = await openCsv(open(), dialect)
  try {
    const { header } = csv
    const columns = header ? findColumns(header.cells, kind) : bareColumns(kind)
    if (await isEmpty(csv.records)) throw new FileProblem('empty', 'the file has a header and no rows: nothing to ask')
    return { dialect, columns, header: header && { start: header.start, end: header.end } }
  } finally {
    await csv.close()
  }
}

const isEmpty = async (records: AsyncIterable<unknown>): Promise<boolean> => {
  const { done } = await records[Symbol.asyncIterator]().next()
  return done ?? false
}
