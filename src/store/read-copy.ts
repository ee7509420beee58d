import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Sql } from './connect.ts'

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
