import type { Sql } from '../store/connect.ts'
import { lastLine, type RowFilter, type RowLine, readRows } from '../views/row.ts'

export type RowPage = {
  rows: RowLine[]
  /** The line after which the next page starts; null at the end. */
  next: number | null
  /** The last line searched, if the search stopped before the page was full. */
  searchedTo: number | null
}

export const pageSize = 50
const longStretch = 20_000
const shortStretch = 500
const timeoutMs = 100

type Options = {
  size?: number
  /** Leaves out rows by what only their cells in the file show. */
  keep?: ((rows: RowLine[]) => Promise<RowLine[]>) | undefined
}

/** Searches a batch in chunks until a page is filled with complete rows, the file ends, or the search takes too long. */
export const collectRows = async (
  sql: Sql,
  batchId: bigint,
  filter: RowFilter,
  after: number,
  { size = pageSize, keep }: Options = {},
): Promise<RowPage> => {
  const end = await lastLine(sql, batchId)
  const began = performance.now()
  const rows: RowLine[] = []
  const stretch = keep ? shortStretch : longStretch
  for (let from = after; from < end; from += stretch) {
    const window = { after: from, upTo: from + stretch, limit: keep ? stretch : size + 1 - rows.length }
    const found = await readRows(sql, batchId, filter, window)
    rows.push(...(keep ? await keep(found) : found))
    if (rows.length > size) {
      const complete = rows.slice(0, rows.findLastIndex(({ line }, at) => at < size && line < rows[size]!.line) + 1)
      return { rows: complete, next: complete.at(-1)!.line, searchedTo: null }
    }
    const searchedTo = from + stretch
    if (searchedTo < end && performance.now() - began > timeoutMs) return { rows, next: searchedTo, searchedTo }
  }
  return { rows, next: null, searchedTo: null }
}
