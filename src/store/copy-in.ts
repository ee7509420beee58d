import type { PendingQuery, Row } from 'postgres'

/** Sends lines to a `copy … from stdin`; an error of the server is the caller's. */
export const copyIn = async (copy: PendingQuery<Row[]>, lines: readonly string[]): Promise<void> => {
  if (lines.length === 0) return
  const stream = await copy.writable()
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject).on('finish', resolve)
    stream.end(`${lines.join('\n')}\n`)
  })
}

/** A cell as COPY reads it. */
export const copyText = (text: string | null): string =>
  text === null ? '\\N' : text.replace(/[\\\t\n\r]/g, (char) => escapes[char] as string)

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
