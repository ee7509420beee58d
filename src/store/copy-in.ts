import type { PendingQuery, Row } from 'postgres'

/** What COPY can be given in a cell. */
export type Cell = string | number | bigint | boolean | Date | null

/**
 * Sends rows to a `copy … from stdin`; an error of the server is the caller's.
 *
 * Every cell passes the one encoder below, whatever it holds: a tab or a line end that came through unescaped would make
 * another row of it.
 */
export const copyIn = async (copy: PendingQuery<Row[]>, rows: readonly (readonly Cell[])[]): Promise<void> => {
  if (rows.length === 0) return
  const stream = await copy.writable()
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject).on('finish', resolve)
    stream.end(rows.map(copyLine).join(''))
  })
}

const copyLine = (cells: readonly Cell[]): string => `${cells.map(copyCell).join('\t')}\n`

const copyCell = (value: Cell): string => {
  if (typeof value === 'string') return special.test(value) ? value.replace(everySpecial, escaped) : value
  if (value === null) return '\\N'
  return value instanceof Date ? value.toISOString() : String(value)
}

/** PostgreSQL's text cannot hold a NUL, so it goes. */
const special = /[\\\t\n\r\0]/
const everySpecial = new RegExp(special, 'g')
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '' }
const escaped = (char: string): string => escapes[char]!
