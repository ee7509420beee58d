import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { PendingQuery, Row } from 'postgres'
import type { Sql } from './connect.ts'

/** The types that a cell of COPY may have. */
export type Cell = string | number | bigint | boolean | Date | null

/**
 * Sends rows to a `copy … from stdin`; an error of the server is thrown to the caller.
 *
 * Every cell passes through the one encoder below, whatever its type: an unescaped tab or line end would split the row.
 */
export const copyIn = async (copy: PendingQuery<Row[]>, rows: readonly (readonly Cell[])[]): Promise<void> => {
  if (rows.length === 0) return
  const stream = await copy.writable()
  await new Promise<void>((resolve, reject) => {
    // The query was resolved with the stream, so the driver has nobody to notify if the server refuses the last line.
    Object.assign(copy, { reject })
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

/** PostgreSQL's text cannot hold a NUL, so it is dropped. */
const special = /[\\\t\n\r\0]/
const everySpecial = new RegExp(special, 'g')
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '' }
const escaped = (char: string): string => escapes[char]!

/** Whether PostgreSQL refused a row because this constraint or index requires uniqueness. */
export const isTaken = (error: unknown, constraint: string): boolean => {
  const { code, constraint_name } = error as { code?: string; constraint_name?: string }
  return code === '23505' && constraint_name === constraint
}

/**
 * The bytes of a `copy … to stdout`, to the end or as far as they are wanted.
 *
 * postgres.js pauses its socket when the stream is full, and resumes it only when the stream is read. A stream that has
 * ended or was destroyed is not read again, so the connection would hang for good just before its last message. Therefore
 * the stream is always read to its end, and the socket is resumed after it.
 */
export async function* readCopy(sql: Sql, statement: string): AsyncGenerator<Buffer> {
  const copy: Readable = await sql.unsafe(statement).readable()
  try {
    yield* copy.iterator({ destroyOnReturn: false })
  } finally {
    await finished(copy.resume()).catch(() => {})
    copy._read(0)
  }
}
