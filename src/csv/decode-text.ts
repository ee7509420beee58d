import type { Dialect, Encoding } from './dialect.ts'
import { StrictText } from './strict-text.ts'

/** The text of a file as UTF-8 without its byte order mark: what the offsets of a CsvRecord count in. */
export async function* decodeText(
  source: AsyncIterable<Uint8Array>,
  dialect: Pick<Dialect, 'encoding' | 'bom'>,
): AsyncGenerator<Buffer> {
  const text = new StrictText(dialect.encoding)
  let mark = dialect.bom ? byteOrderMarks[dialect.encoding].length : 0
  for await (const chunk of source) {
    const skipped = Math.min(mark, chunk.length)
    mark -= skipped
    const decoded = text.push(chunk.subarray(skipped))
    if (decoded.length > 0) yield decoded
  }
  text.end()
}

export const byteOrderMarks: Record<Encoding, Buffer> = {
  'utf-8': Buffer.from([0xef, 0xbb, 0xbf]),
  'utf-16le': Buffer.from([0xff, 0xfe]),
  'utf-16be': Buffer.from([0xfe, 0xff]),
  'windows-1252': Buffer.alloc(0),
}
