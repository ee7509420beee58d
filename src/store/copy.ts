import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { PendingQuery, Row } from 'postgres'
import type { Sql } from './connect.ts'

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

/** Whether PostgreSQL refused a row because the place that this constraint or index keeps unique is taken. */
export const isTaken = (error: unknown, constraint: string): boolean => {
  const { code, constraint_name } = error as { code?: string; constraint_name?: string }
  return code === '23505' && constraint_name === constraint
}

/**
 * The bytes of a `copy … to stdout`, to the end or as far as they are wanted.
 *
 * postgres.js stops its socket when the stream is full, and starts it again only when the stream asks for more. One that
 * has ended or was destroyed never asks, so the connection would stand still for good, just before its last word:
 * the stream is always read to its end, and the socket woken after it.
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
