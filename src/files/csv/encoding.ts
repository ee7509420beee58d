import type { Dialect, Encoding } from './dialect.ts'
import { StrictText } from './strict-text.ts'
import { encodeWindows1252 } from './windows-1252.ts'

/** The text of a file as UTF-8 without its byte order mark; the offsets of a CsvRecord count in it. */
export async function* decodeText(
  source: AsyncIterable<Uint8Array>,
  dialect: Pick<Dialect, 'encoding' | 'bom'>,
): AsyncGenerator<Buffer> {
  const text = new StrictText(dialect.encoding)
  let bomLength = dialect.bom ? byteOrderMarks[dialect.encoding].length : 0
  for await (const chunk of source) {
    const skipped = Math.min(bomLength, chunk.length)
    bomLength -= skipped
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

export type Encoder = {
  encode(text: string): Buffer
  /** How many characters the encoding lacks; each was written as `?`. */
  readonly lost: number
}

/** Writes text in an encoding; a text must not end in the middle of a character. */
export const encodeInto = (encoding: Encoding): Encoder => {
  let lost = 0
  const write: Record<Encoding, (text: string) => Buffer> = {
    'utf-8': (text) => Buffer.from(text),
    'utf-16le': (text) => Buffer.from(text, 'utf16le'),
    'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
    'windows-1252': (text) => encodeWindows1252(text, () => lost++),
  }
  return {
    encode: write[encoding],
    get lost() {
      return lost
    },
  }
}

/** The reverse of `decodeText`: UTF-8 in, the dialect's bytes out, with its byte order mark. */
export async function* encodeText(
  source: AsyncIterable<Uint8Array>,
  dialect: Pick<Dialect, 'encoding' | 'bom'>,
  encoder: Encoder = encodeInto(dialect.encoding),
): AsyncGenerator<Buffer> {
  if (dialect.bom) yield byteOrderMarks[dialect.encoding]
  const characters = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for await (const chunk of source) {
    const bytes = encoder.encode(characters.decode(chunk, { stream: true }))
    if (bytes.length > 0) yield bytes
  }
  characters.decode()
}
